package io.ringmaster.engine.slurm.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Jobs of people who say that theirs may be stopped and resized, and those of people who wait at a
 * terminal, on a real Slurm. Where nothing else is said no policy decides, but the test.
 */
class PeoplesElasticJobsOnSlurmTest {
  private static final long PATIENCE_MILLIS = 60_000;
  private static @Nullable SlurmTestbed shared;

  private final SlurmTestbed testbed;
  private @Nullable Steering steering;
  private @Nullable Diary diary;
  private int attempts;

  @BeforeAll
  static void up() throws IOException {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    SlurmTestbed up = Partition.up(2, Map.of());
    shared = up;
    Partition.installLua(up);
  }

  @AfterAll
  static void down() {
    if (shared != null) {
      shared.close();
    }
  }

  PeoplesElasticJobsOnSlurmTest() {
    assumeTrue(shared != null, SlurmTestbed.MISSING);
    testbed = Objects.requireNonNull(shared);
  }

  @BeforeEach
  void open() throws IOException {
    diary = new Diary(testbed);
  }

  @AfterEach
  void close() {
    if (steering != null) {
      steering.close();
      Partition.clear(testbed);
    }
  }

  private Diary diary() {
    return Objects.requireNonNull(diary);
  }

  private Steering steering(Map<String, String> settings) throws IOException {
    Steering opened = new Steering(testbed, "fifo", settings);
    steering = opened;
    return opened;
  }

  private static Arrival arrival(Engine engine, String id) throws IOException {
    for (long end = System.currentTimeMillis() + PATIENCE_MILLIS; ; ) {
      for (Arrival arrival : engine.observe().arrivals()) {
        if (PeoplesJobs.address(arrival.id()).equals(id)) {
          return arrival;
        }
      }
      assertThat(System.currentTimeMillis()).as("job %s is seen", id).isLessThan(end);
      Partition.pause(100);
    }
  }

  private AttemptId launch(Engine engine, Arrival arrival, String on) throws IOException {
    AttemptId attempt = new AttemptId(1, ++attempts);
    engine.launch(
        attempts,
        new Launch(attempt, arrival.user(), arrival.spec(), Allocation.of(on), arrival.id(), 1));
    return attempt;
  }

  private static Status.Phase await(Engine engine, AttemptId attempt, Predicate<Status.Phase> what)
      throws IOException {
    for (long end = System.currentTimeMillis() + PATIENCE_MILLIS; ; ) {
      Status.Phase phase =
          engine.observe().attempts().stream()
              .filter(status -> status.attempt().equals(attempt))
              .findAny()
              .orElseThrow()
              .phase();
      if (what.test(phase)) {
        return phase;
      }
      assertThat(System.currentTimeMillis()).as("%s", phase).isLessThan(end);
      Partition.pause(100);
    }
  }

  private static boolean runs(Status.Phase phase) {
    return phase instanceof Status.Running;
  }

  @Test
  void oneThatSaysSoIsGivenAnotherNumberOfGpusEachTime() throws IOException {
    Engine engine = steering(Map.of()).engine();
    String id = diary().sbatch(20, "--gres=gpu:4", "--comment=ringmaster min=2 max=8");
    Arrival arrival = arrival(engine, id);
    assertThat(arrival.spec().minGpus()).isEqualTo(2);
    assertThat(arrival.spec().maxGpus()).isEqualTo(8);
    List<String> nodes = new ArrayList<>();
    for (String on : List.of("n1:4", "n1:4,n2:4", "n2:2")) {
      AttemptId attempt = launch(engine, arrival, on);
      await(engine, attempt, PeoplesElasticJobsOnSlurmTest::runs);
      int starts = attempts;
      awaitLines(starts);
      nodes.add(diary().nodes(id));
      engine.stop(attempt, 0);
      assertThat(await(engine, attempt, Status.Phase::isEnd))
          .isEqualTo(new Status.Exited(143, true));
      // The same job, whatever it was given.
      assertThat(arrival(engine, id)).isEqualTo(arrival);
    }
    assertThat(nodes).containsExactly("n1", "n[1-2]", "n2");
    assertThat(diary().gpus(id)).containsExactly(4, 4, 2);
  }

  private void awaitLines(int count) {
    for (long end = System.currentTimeMillis() + PATIENCE_MILLIS; ; ) {
      if (diary().lines().size() >= count) {
        return;
      }
      assertThat(System.currentTimeMillis()).isLessThan(end);
      Partition.pause(50);
    }
  }

  /** Its script takes longer to save than Slurm would wait for it after TERM (KillWait=5). */
  @Test
  void aSignalOfOursGivesItLongerThanSlurmWould() throws IOException {
    Engine engine = steering(Map.of("signal", "USR1")).engine();
    String script =
        "trap 'sleep 7; echo saved >>%1$s; exit 0' USR1; echo start $SLURM_JOB_ID n1 0 >>%1$s; while :; do sleep 0.1; done"
            .formatted(diary().file());
    String id =
        diary().submit("-p", "ring", "--gres=gpu:1", "--comment=ringmaster", "--wrap=" + script);
    Arrival arrival = arrival(engine, id);
    AttemptId attempt = launch(engine, arrival, "n1:1");
    await(engine, attempt, PeoplesElasticJobsOnSlurmTest::runs);
    awaitLines(1);
    engine.stop(attempt, 60);
    assertThat(await(engine, attempt, Status.Phase::isEnd)).isEqualTo(new Status.Exited(0, true));
    assertThat(diary().lines().getLast()).isEqualTo("saved");
    assertThat(arrival(engine, id).state()).isEqualTo(Arrival.State.READY);
    assertThat(testbed.run("squeue", "-h", "-j", id, "-o", "%t")).startsWith("PD");
  }

  @Test
  void aLineOfAScriptSaysThatItIsElastic() throws IOException {
    Engine engine = steering(Map.of("read-scripts", "true")).engine();
    Path script = Files.createTempFile(testbed.folder(), "script", ".sh");
    Files.writeString(script, "#!/bin/sh\n#RINGMASTER min=1 max=8\nsleep 1\n");
    script.toFile().setReadable(true, false);
    // By job_submit.lua.
    String id = diary().submit("-p", "ring", "--gres=gpu:2", script.toString());
    assertThat(testbed.run("squeue", "-h", "-j", id, "-O", "Comment:60"))
        .contains("ringmaster min=1 max=8");
    // Root's jobs it leaves alone: this one is read by us.
    String roots =
        testbed
            .run(
                "sbatch",
                "--parsable",
                "-H",
                "-p",
                "ring",
                "-o",
                "/dev/null",
                "--gres=gpu:2",
                script.toString())
            .strip();
    assertThat(testbed.run("squeue", "-h", "-j", roots, "-O", "Comment:60"))
        .doesNotContain("ringmaster");
    for (String each : List.of(id, roots)) {
      Arrival arrival = arrival(engine, each);
      assertThat(arrival.spec().minGpus()).isEqualTo(1);
      assertThat(arrival.spec().maxGpus()).isEqualTo(8);
      assertThat(arrival.spec().resumable()).isTrue();
    }
  }

  @Test
  void whoWaitsAtATerminalIsPlaced() throws IOException, InterruptedException {
    Steering server = steering(Map.of());
    List<String> words = new ArrayList<>(testbed.prefix());
    words.addAll(
        List.of(
            "srun", "-p", "ring", "-H", "--gres=gpu:2", "sh", "-c", "echo on $SLURMD_NODENAME"));
    Path out = Files.createTempFile(testbed.folder(), "srun", ".out");
    Process srun =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      server.until("it is seen", () -> server.jobs().size() == 1);
      assertThat(server.jobs().getFirst().spec().resumable()).isFalse();
      server.until("it is over", () -> server.areAllOver() && !srun.isAlive());
      assertThat(srun.waitFor(1, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(out)).contains("on n");
      assertThat(server.jobs().getFirst().state().text()).isEqualTo("succeeded");
    } finally {
      srun.destroyForcibly();
    }
  }
}
