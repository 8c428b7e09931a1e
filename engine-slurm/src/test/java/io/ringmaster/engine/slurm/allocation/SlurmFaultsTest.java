package io.ringmaster.engine.slurm.allocation;

import static io.ringmaster.engine.slurm.allocation.AllocationStage.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.testing.Namespace;
import io.ringmaster.testing.SlurmTestbed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can go wrong, on a real Slurm. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class SlurmFaultsTest {
  private static final String WAIT = "echo started; while :; do sleep 30; done";
  private static final String SAVE =
      "trap 'echo saved >>\"$RINGMASTER_CHECKPOINT_DIR/saved\"; exit 0' TERM; " + WAIT;
  private static final Pattern GRANTED = Pattern.compile("Granted job allocation (\\d+)");

  @SuppressWarnings("NullAway.Init")
  private static SlurmTestbed testbed;

  @SuppressWarnings("NullAway.Init")
  private static Namespace namespace;

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private AllocationStage stage;

  private long job;

  @BeforeAll
  static void up() {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    testbed = SlurmTestbed.up(Map.of("NODES", "3"));
    namespace = testbed.enter();
  }

  @AfterAll
  static void down() {
    if (testbed != null) {
      namespace.close();
      testbed.close();
    }
  }

  /** An allocation that outlives a node. */
  static long allocated(SlurmTestbed testbed, String... shape) {
    String said =
        testbed.run(
            Stream.concat(
                    Stream.of("timeout", "60", "salloc", "--no-shell", "--no-kill"),
                    Stream.of(shape))
                .toArray(String[]::new));
    Matcher granted = GRANTED.matcher(said);
    assertThat(granted.find()).as(said).isTrue();
    return Long.parseLong(granted.group(1));
  }

  static void end(SlurmTestbed testbed, long job) {
    // What is over already cannot be cancelled.
    String id = Long.toString(job);
    testbed.run(
        "sh",
        "-c",
        "timeout 30 scancel -Q -s KILL %s; timeout 30 scancel -Q %s; :".formatted(id, id));
  }

  private void open(Map<String, String> settings, String... shape) throws Exception {
    job = allocated(testbed, shape);
    stage =
        new AllocationStage(
            folder.resolve("data"),
            new SlurmCommands(testbed.prefix(), Duration.ofSeconds(8)),
            job,
            settings);
    stage.open();
  }

  @AfterEach
  void close() {
    if (stage != null) {
      stage.close();
      end(testbed, job);
    }
  }

  @Test
  void workersAreWhereTheyWereWantedAndMeet() throws Exception {
    open(Map.of(), "-N3", "--gres=gpu:4");
    stage.launch(
        ONE,
        "n3:3,n1:1",
        "echo started $(hostname) $RANK $WORLD_SIZE $LOCAL_RANK $MASTER_ADDR"
            + " $CUDA_VISIBLE_DEVICES; sleep 1");
    assertThat(stage.end(ONE)).isEqualTo(new Status.Exited(0, false));
    for (int rank = 0; rank < 4; rank++) {
      assertThat(stage.output(ONE, rank))
          .isEqualTo(
              rank < 3
                  ? "started n3 %d 4 %d 10.77.0.3 0,1,2\n".formatted(rank, rank)
                  : "started n1 3 4 0 10.77.0.3 0\n");
    }
  }

  @Test
  void neitherAKilledAgentNorAKilledSlurmdEndsAnAttempt() throws Exception {
    open(Map.of(), "-N2", "-w", "n1,n2", "--gres=gpu:2");
    stage.launchAndAwait(ONE, "n1:2,n2:1", WAIT);
    AgentRecord killed = stage.agent("n2");
    testbed.on("n2", "kill", "-KILL", Long.toString(killed.pid()));
    testbed.cluster("kill", "n1");
    Waiting.await("another", () -> !stage.agent("n2").life().equals(killed.life()));
    stage.awaitUp();
    testbed.cluster("start", "n1");
    assertThat(stage.phase(ONE)).isEqualTo(new Status.Running());
    stage.open();
    stage.engine().stop(ONE, 20);
    assertThat(stage.end(ONE)).isEqualTo(new Status.Exited(143, true));
  }

  @Test
  void whatRunsOnANodeThatIsSwitchedOffIsGoneAndTheRestGoesOn() throws Exception {
    open(Map.of("lease-s", "5"), "-N2", "-w", "n1,n2", "--gres=gpu:2");
    stage.launchAndAwait(ONE, "n1:1,n2:1", SAVE);
    AttemptId other = new AttemptId(2, 1);
    stage.launchAndAwait(other, "n1:1", WAIT);
    testbed.cluster("power-off", "n2");
    assertThat(stage.end(ONE)).isInstanceOf(Status.Gone.class);
    assertThat(stage.phase(other)).isEqualTo(new Status.Running());
    assertThat(stage.engine().observe().nodes())
        .filteredOn(Node::up)
        .extracting(Node::name)
        .containsExactly("n1");
    testbed.cluster("power-on", "n2");
    Waiting.await("n2 to answer", () -> !isSilent("n2"));
    assertThat(testbed.on("n2", "ps", "-e", "-o", "args")).doesNotContain("sleep 30");
  }

  /** Slurm marks a node that does not answer with a star. */
  private static boolean isSilent(String node) {
    return testbed.run("timeout", "20", "sinfo", "-h", "-n", node, "-o", "%T").contains("*");
  }

  /** Its beats in the shared folder are seen: nobody may say that what runs there is dead. */
  @Test
  void whatRunsOnANodeWhoseLinkIsCutGoesOnWhenItIsBack() throws Exception {
    open(Map.of("lease-s", "3"), "-N2", "-w", "n1,n2", "--gres=gpu:2");
    stage.launchAndAwait(ONE, "n1:1,n2:1", WAIT);
    Waiting.await("being told", () -> stage.phase(ONE).equals(new Status.Running()));
    testbed.cluster("cut", "n2");
    try {
      Waiting.await("Slurm to miss n2", () -> isSilent("n2"));
      Waiting.await("a closed node", () -> !stage.node("n2").up());
      assertThat(stage.phase(ONE)).isEqualTo(new Status.Running());
    } finally {
      testbed.cluster("join", "n2");
    }
    stage.awaitUp();
    assertThat(stage.phase(ONE)).isEqualTo(new Status.Running());
    stage.engine().stop(ONE, 20);
    assertThat(stage.end(ONE)).isEqualTo(new Status.Exited(143, true));
    Waiting.await("n2 to answer", () -> !isSilent("n2"));
  }

  /** It can neither be asked nor write: it ends what it runs, before others say that it did. */
  @Test
  void whatRunsOnANodeThatIsCutOffFromEverybodyIsKilledThereBeforeItIsGone() throws Exception {
    open(Map.of("lease-s", "3"), "-N2", "-w", "n1,n2", "--gres=gpu:2");
    String data = folder.resolve("data").toString();
    stage.launchAndAwait(ONE, "n1:1,n2:1", WAIT);
    testbed.cluster("cut", "n2");
    testbed.on("n2", "mount", "--bind", data, data);
    testbed.on("n2", "mount", "-o", "remount,bind,ro", data);
    try {
      assertThat(stage.end(ONE)).isInstanceOf(Status.Gone.class);
      assertThat(testbed.on("n2", "ps", "-e", "-o", "args")).doesNotContain("sleep 30");
      stage.launchAndAwait(new AttemptId(2, 1), "n1:2", WAIT);
    } finally {
      testbed.on("n2", "umount", "--lazy", data);
      testbed.cluster("join", "n2");
    }
    stage.awaitUp();
    stage.launch(new AttemptId(1, 2), "n2:2", "exit 4");
    assertThat(stage.end(new AttemptId(1, 2))).isEqualTo(new Status.Exited(4, false));
    assertThat(stage.phase(ONE)).isInstanceOf(Status.Gone.class);
    Waiting.await("n2 to answer", () -> !isSilent("n2"));
  }

  @Test
  void whatIsCancelledWithItsAllocationCanSaveAndIsNoFailure() throws Exception {
    open(Map.of(), "-N2", "-w", "n1,n2", "--gres=gpu:2");
    stage.launchAndAwait(ONE, "n1:2,n2:1", SAVE);
    testbed.run("timeout", "20", "scancel", Long.toString(job));
    Status.Phase end = stage.end(ONE);
    assertThat(
            end instanceof Status.Gone || (end instanceof Status.Exited exited && exited.stopped()))
        .as("%s", end)
        .isTrue();
    assertThat(Files.readString(folder.resolve("data/checkpoints/1/saved"))).contains("saved");
    Waiting.await("no nodes", () -> stage.engine().observe().nodes().isEmpty());
  }

  @Test
  void allAreStoppedBeforeTheTimeLimit() throws Exception {
    open(Map.of("closing-s", "0"), "-N2", "-w", "n1,n2", "--gres=gpu:2", "-t", "2");
    stage.launchAndAwait(ONE, "n1:2,n2:1", SAVE);
    // Its grace and 15 s are more than what is left then.
    testbed.run("scontrol", "update", "jobid=" + job, "endtime=now+34");
    stage.touch(job);
    assertThat(stage.end(ONE))
        .isEqualTo(new Status.Exited(0, true, "allocation %d ends".formatted(job)));
    assertThat(testbed.run("squeue", "-h", "-j", Long.toString(job), "-o", "%T").strip())
        .as("Slurm has not ended it yet")
        .isEqualTo("RUNNING");
  }

  @Test
  void attemptsComeAndGoWithoutSlurmctld() throws Exception {
    open(Map.of(), "-N2", "-w", "n1,n2", "--gres=gpu:2");
    testbed.cluster("kill", "slurmctld");
    try {
      stage.launchAndAwait(ONE, "n1:2,n2:1", WAIT);
      stage.open();
      assertThat(stage.phase(ONE)).isEqualTo(new Status.Running());
      stage.engine().stop(ONE, 20);
      assertThat(stage.end(ONE)).isEqualTo(new Status.Exited(143, true));
    } finally {
      testbed.cluster("start", "slurmctld");
    }
    Waiting.await(
        "slurmctld", () -> !testbed.run("sh", "-c", "timeout 20 squeue -h || :").isBlank());
    stage.launch(new AttemptId(2, 1), "n2:2", "exit 4");
    assertThat(stage.end(new AttemptId(2, 1))).isEqualTo(new Status.Exited(4, false));
    assertThat(List.copyOf(stage.engine().observe().nodes())).hasSize(2);
  }

  /** What is allocated stays so until the allocation ends. */
  @Test
  void attemptsComeAndGoOnADrainedNodeAndWithoutMunge() throws Exception {
    open(Map.of(), "-N2", "-w", "n1,n2", "--gres=gpu:2");
    stage.launchAndAwait(ONE, "n1:1,n2:1", WAIT);
    testbed.run("scontrol", "update", "nodename=n2", "state=drain", "reason=fan");
    testbed.cluster("kill", "munged");
    AttemptId other = new AttemptId(2, 1);
    try {
      stage.launchAndAwait(other, "n2:1", WAIT);
      stage.open();
      assertThat(stage.phase(ONE)).isEqualTo(new Status.Running());
      stage.engine().stop(other, 20);
      assertThat(stage.end(other)).isEqualTo(new Status.Exited(143, true));
    } finally {
      testbed.cluster("start", "munged");
      testbed.run("scontrol", "update", "nodename=n2", "state=resume");
    }
    stage.engine().stop(ONE, 20);
    assertThat(stage.end(ONE)).isEqualTo(new Status.Exited(143, true));
  }
}
