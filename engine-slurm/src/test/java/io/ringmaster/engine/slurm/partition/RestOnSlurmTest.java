package io.ringmaster.engine.slurm.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.engine.slurm.client.SlurmJob;
import io.ringmaster.engine.slurm.client.SlurmNode;
import io.ringmaster.testing.Namespace;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real Slurm, asked by its slurmrestd: it tells the same as Slurm's commands, and does it. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class RestOnSlurmTest {
  @SuppressWarnings("NullAway.Init")
  private static SlurmTestbed testbed;

  @SuppressWarnings("NullAway.Init")
  private static Namespace namespace;

  @SuppressWarnings("NullAway.Init")
  private static Map<String, String> rest;

  @BeforeAll
  static void up() throws IOException {
    assumeTrue(SlurmTestbed.canRun() && SlurmTestbed.canRest(), SlurmTestbed.MISSING);
    testbed = Partition.up(2, Map.of("REST", "yes"));
    namespace = testbed.enter();
    rest = Partition.rest(testbed, 3600);
  }

  @AfterAll
  static void down() {
    if (testbed != null) {
      namespace.close();
      testbed.close();
    }
  }

  @AfterEach
  void clear() {
    Partition.clear(testbed);
  }

  private static Slurm slurm(Map<String, String> settings) {
    return PartitionSettings.of(Partition.settings(testbed, settings)).slurm();
  }

  private static String sbatch(String script, String... options) {
    List<String> words = new ArrayList<>(List.of("sbatch", "--parsable", "-p", "ring"));
    words.addAll(List.of("-o", "/dev/null"));
    words.addAll(List.of(options));
    words.add("--wrap=" + script);
    return testbed.run(words.toArray(String[]::new)).strip();
  }

  private static String state(String id) {
    return testbed.run("squeue", "-h", "-a", "-t", "all", "-j", id, "-o", "%t %r %N").strip();
  }

  private static void await(String id, String start) {
    for (int i = 0; i < 300 && !state(id).startsWith(start); i++) {
      Partition.pause(100);
    }
    assertThat(state(id)).as(testbed.run("scontrol", "show", "job", id)).startsWith(start);
  }

  @Test
  void itTellsWhatSlurmsCommandsTell() throws IOException {
    String failed = sbatch("exit 3", "--gres=gpu:1");
    String runs = sbatch("sleep 600", "-N2", "--gres=gpu:2", "-t", "26:00:00", "--comment=a b");
    sbatch("true", "--hold", "--gpus=3", "--array=1-3,7%2", "--dependency=afterok:" + runs);
    sbatch("true", "--hold", "-n4", "--gpus-per-task=1", "--no-requeue");
    sbatch("true", "--hold", "-N2", "--ntasks-per-node=2", "--gres=gpu:1");
    testbed.run(
        "sbatch",
        "--hold",
        "-p",
        "ring",
        "-N1",
        "--gres=gpu:3",
        ":",
        "-p",
        "ring",
        "-N1",
        "--gres=gpu:1",
        "--wrap=true");
    await(failed, "F");
    await(runs, "R");
    List<SlurmJob> told = slurm(Map.of()).jobs("ring");
    assertThat(told).hasSizeGreaterThan(9);
    assertThat(slurm(rest).jobs("ring")).isEqualTo(told);
    Set<String> some = Set.of(failed, runs, told.get(2).address(), "999999");
    assertThat(slurm(rest).jobs(some)).isEqualTo(slurm(Map.of()).jobs(some));
    assertThat(slurm(rest).clusterName()).isEqualTo("testbed");
    testbed.run("scontrol", "update", "nodename=n2", "state=drain", "reason=fan");
    try {
      List<SlurmNode> nodes = slurm(rest).nodes();
      assertThat(nodes)
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("state", "reason")
          .isEqualTo(slurm(Map.of()).nodes());
      assertThat(nodes).extracting(SlurmNode::usedGpus).containsExactly(2, 2);
      assertThat(nodes).extracting(SlurmNode::isUp).containsExactly(true, false);
      assertThat(nodes.getLast().reason()).isEqualTo("fan");
    } finally {
      testbed.run("scontrol", "update", "nodename=n2", "state=resume");
    }
  }

  @Test
  void jobsAreHeldReshapedReleasedAndCancelled() throws IOException {
    Slurm slurm = slurm(rest);
    String id = sbatch("sleep 600", "--hold", "-N1", "--gres=gpu:1");
    slurm.update(id, List.of("numnodes=2-2", "nodelist=n1,n2", "gres=gpu:3"));
    slurm.release(id);
    await(id, "R None n[1-2]");
    assertThat(slurm.jobs(Set.of(id)).getFirst().gpusPerNode()).isEqualTo(3);
    // As of one that runs: it goes on, and comes back held whoever requeues it.
    slurm.hold(List.of(id));
    testbed.run("scontrol", "requeue", id);
    await(id, "PD JobHeldAdmin");
    slurm.update(id, List.of("numnodes=1-1", "nodelist=", "gres=gpu:1", "starttime=now+2"));
    slurm.release(id);
    await(id, "R None n");
    slurm.cancel(List.of(id));
    await(id, "CA");
    // What is over is over.
    slurm.cancel(List.of(id));
    assertThatThrownBy(() -> slurm.release("999999")).hasMessageContaining("Invalid job id");
    String task = sbatch("sleep 600", "--hold", "--gres=gpu:1", "--array=1-2") + "_2";
    slurm.update(task, List.of("nodelist=n2"));
    slurm.release(task);
    await(task, "R None n2");
    slurm.cancel(List.of(task));
    await(task, "CA");
  }

  @Test
  void peoplesJobsAndThoseOfTheServerAreRun() throws IOException {
    try (Steering steering = new Steering(testbed, "fifo", rest)) {
      String id = sbatch("sleep 1", "--hold", "-N2", "--gres=gpu:2");
      steering.until("it is over", () -> steering.is(id, "succeeded"));
      // 3 + 1 or 2 + 2, and more than a node has: a job of several components, or of two nodes.
      long own =
          steering.submit(
              Map.of("name", "own", "command", List.of("sh", "-c", "sleep 1"), "gpus", 6));
      steering.until("its own is over", steering::areAllOver);
      assertThat(steering.jobs())
          .filteredOn(job -> job.id() == own)
          .extracting(job -> job.state().text())
          .containsExactly("succeeded");
      assertThat(steering.failures()).isEmpty();
    }
  }

  @Test
  void anExpiredTokenIsSaidAndANewOneTaken() throws Exception {
    Slurm slurm = slurm(rest);
    Partition.rest(testbed, 1);
    Partition.pause(2500);
    assertThatThrownBy(slurm::nodes)
        .hasMessageContaining("slurmrestd does not accept the token of " + rest.get("token-file"))
        .hasMessageContaining("it expired at ");
    Partition.rest(testbed, 3600);
    assertThat(slurm.nodes()).hasSize(2);
    testbed.cluster("kill", "slurmrestd");
    assertThatThrownBy(slurm::nodes)
        .hasMessageContaining("no slurmrestd answers at " + Partition.REST);
    testbed.cluster("start", "slurmrestd");
    assertThat(slurm.nodes()).hasSize(2);
  }
}
