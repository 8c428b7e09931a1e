package io.ringmaster.engine.slurm.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People's own jobs on a real Slurm, with what goes wrong there. */
class PeoplesJobsOnSlurmTest {
  private static @Nullable SlurmTestbed shared;

  private final SlurmTestbed testbed;
  private @Nullable Steering steering;
  private @Nullable Diary diary;

  @BeforeAll
  static void up() throws IOException {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    SlurmTestbed up = Partition.up(3, Map.of());
    shared = up;
    Partition.installLua(up);
  }

  @AfterAll
  static void down() {
    if (shared != null) {
      shared.close();
    }
  }

  PeoplesJobsOnSlurmTest() {
    assumeTrue(shared != null, SlurmTestbed.MISSING);
    testbed = Objects.requireNonNull(shared);
  }

  @BeforeEach
  void open() throws IOException {
    diary = new Diary(testbed);
    steering = new Steering(testbed, "fifo", Map.of());
  }

  @AfterEach
  void close() {
    if (steering != null) {
      steering.close();
      Partition.clear(testbed);
    }
  }

  private Steering steering() {
    return Objects.requireNonNull(steering);
  }

  private Diary diary() {
    return Objects.requireNonNull(diary);
  }

  private String sbatch(double seconds, String... options) {
    return diary().sbatch(seconds, options);
  }

  @Test
  void aJobOfSbatchIsHeldSeenPlacedReleasedAndDoneOnce() throws IOException {
    String id = sbatch(1, "-N2", "--gres=gpu:2", "-t", "10");
    assertThat(testbed.run("squeue", "-h", "-j", id, "-o", "%t %r")).startsWith("PD JobHeldUser");
    steering().until("it is over", () -> steering().is(id, "succeeded"));
    assertThat(steering().jobOf(id).user()).isEqualTo("games");
    assertThat(steering().jobOf(id).spec().gpus()).isEqualTo(4);
    assertThat(diary().done(id)).isEqualTo(1);
    assertThat(diary().starts(id)).isEqualTo(1);
  }

  @Test
  void tasksOfAnArrayAreJobsOfTheirOwnAndADependencyIsWaitedFor() throws IOException {
    String array = sbatch(1, "--gres=gpu:3", "--array=1-3");
    String last = sbatch(1, "--gres=gpu:1", "--dependency=afterok:" + array);
    steering().until("all are seen", () -> steering().jobs().size() == 4);
    assertThat(steering().jobOf(last).state().text()).isEqualTo("submitted");
    steering().until("it is over", () -> steering().is(last, "succeeded"));
    for (int task = 1; task <= 3; task++) {
      assertThat(steering().is(array + "_" + task, "succeeded")).isTrue();
    }
    assertThat(diary().lines().stream().filter(line -> line.startsWith("done"))).hasSize(4);
    assertThat(diary().lines().getLast()).isEqualTo("done " + last);
  }

  @Test
  void whatItsOwnerCancelsIsCancelled() throws IOException {
    String first = sbatch(300, "-N3", "--gres=gpu:4");
    String second = sbatch(300, "-N3", "--gres=gpu:4");
    steering().until("the first runs", () -> steering().is(first, "running"));
    steering().until("the second waits", () -> steering().is(second, "queued"));
    testbed.run("scancel", second);
    steering().until("the second is cancelled", () -> steering().is(second, "cancelled"));
    testbed.run("scancel", first);
    steering().until("the first is over", () -> steering().jobOf(first).state().isEnd());
    assertThat(steering().jobOf(first).reason()).contains("cancelled in Slurm");
  }

  @Test
  void whatIsCancelledHereIsCancelledInSlurm() throws IOException {
    String first = sbatch(300, "-N3", "--gres=gpu:4");
    String second = sbatch(300, "-N3", "--gres=gpu:4");
    steering().until("the first runs", () -> steering().is(first, "running"));
    steering().until("the second waits", () -> steering().is(second, "queued"));
    steering().cancel(steering().jobOf(first).id());
    steering().cancel(steering().jobOf(second).id());
    steering().until("both are cancelled", steering()::areAllOver);
    steering().until("Slurm knows", () -> testbed.run("squeue", "-h", "-p", "ring").isBlank());
    assertThat(diary().done(first) + diary().done(second)).isZero();
  }

  @Test
  void whatSomebodyElseRequeuesComesBackHeldAndIsDoneOnce() throws IOException {
    String id = sbatch(4, "--gres=gpu:1");
    steering().until("it runs", () -> steering().is(id, "running") && diary().hasStarted(id));
    testbed.run("scontrol", "requeue", id);
    steering().until("it is done", () -> steering().is(id, "succeeded"));
    assertThat(diary().done(id)).isEqualTo(1);
    assertThat(diary().starts(id)).isEqualTo(2);
  }

  @Test
  void whatSomebodyElseReleasesIsSweptUpOrLeftAlone() throws IOException {
    String blocker = sbatch(6, "-N3", "--gres=gpu:4");
    String id = sbatch(1, "--gres=gpu:1");
    steering().until("it runs", () -> steering().is(blocker, "running"));
    testbed.run("scontrol", "release", id);
    steering().until("both are done", steering()::areAllOver);
    assertThat(diary().done(blocker)).isEqualTo(1);
    assertThat(diary().done(id)).isEqualTo(1);
    assertThat(diary().starts(id)).isEqualTo(1);
  }

  @Test
  void theServerIsKilledAfterEachCommand() throws IOException {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ids.add(sbatch(1, "--gres=gpu:4"));
    }
    for (int kill = 0; kill < 12; kill++) {
      for (int step = 0; step < 6; step++) {
        steering().step(1 + kill % 3);
        Partition.pause(60);
      }
      steering().kill();
    }
    steering()
        .until("all are done", () -> steering().jobs().size() == 4 && steering().areAllOver());
    for (String id : ids) {
      assertThat(steering().is(id, "succeeded")).isTrue();
      assertThat(diary().done(id)).isEqualTo(1);
      assertThat(diary().starts(id)).isEqualTo(1);
    }
  }

  /** It takes longer than slurmctld is away: else nobody there would know that it was done. */
  @Test
  void slurmctldIsKilledWithinASecondOfAChange() throws IOException {
    String id = sbatch(12, "--gres=gpu:2");
    Partition.pause(6000);
    steering().until("it runs", () -> diary().hasStarted(id));
    testbed.cluster("kill", "slurmctld");
    Partition.pause(1000);
    testbed.cluster("start", "slurmctld");
    double took = steering().until("it is over", steering()::areAllOver);
    System.out.printf("slurmctld killed within a second of a start: over after %.1f s%n", took);
    assertThat(diary().done(id)).isEqualTo(1);
  }

  @Test
  void aNodeLosesItsPower() throws IOException {
    String id = sbatch(5, "--gres=gpu:4");
    steering().until("it runs", () -> diary().hasStarted(id) && steering().is(id, "running"));
    String node = testbed.run("squeue", "-h", "-j", id, "-o", "%N").strip();
    testbed.cluster("power-off", node);
    double took = steering().until("it is over", steering()::areAllOver);
    System.out.printf("node without power: over after %.1f s%n", took);
    testbed.cluster("power-on", node);
    assertThat(diary().done(id)).isEqualTo(1);
    assertThat(steering().is(id, "succeeded")).isTrue();
    steering()
        .until(
            "the node is back",
            () -> testbed.run("sinfo", "-h", "-N", "-n", node, "-o", "%t").startsWith("idle"));
  }

  @Test
  void aDrainedNodeIsGivenNothingAndMungeMayStop() throws IOException {
    steering().close();
    steering = new Steering(testbed, "fifo", Map.of("command-limit-s", "2"));
    testbed.run("scontrol", "update", "nodename=n1", "state=drain", "reason=fan");
    String id = sbatch(1, "--gres=gpu:4");
    testbed.cluster("kill", "munged");
    steering().step(10);
    steering().step(10);
    testbed.cluster("start", "munged");
    steering().until("it is done", () -> steering().is(id, "succeeded"));
    assertThat(diary().lines().getFirst()).doesNotContain(" n1 ");
    assertThat(diary().done(id)).isEqualTo(1);
    testbed.run("scontrol", "update", "nodename=n1", "state=resume");
  }

  @Test
  void whatWasReleasedToANodeThatIsDrainedGoesElsewhere() throws IOException {
    String id = sbatch(1, "--gres=gpu:1");
    Arrival arrival = steering().engine().observe().arrivals().getFirst();
    testbed.run("scontrol", "update", "nodename=n1", "state=drain", "reason=fan");
    steering()
        .engine()
        .launch(
            1,
            new Launch(
                new AttemptId(1_000, 1),
                arrival.user(),
                arrival.spec(),
                Allocation.of("n1:1"),
                arrival.id(),
                1));
    steering().until("it is done elsewhere", () -> steering().is(id, "succeeded"));
    testbed.run("scontrol", "update", "nodename=n1", "state=resume");
    assertThat(diary().lines().getFirst()).doesNotContain(" n1 ");
    assertThat(diary().done(id)).isEqualTo(1);
  }

  @Test
  void oneThatSaysSoIsStoppedForAnotherAndGoesOnLater() throws IOException {
    steering().close();
    steering = new Steering(testbed, "srtf", Map.of());
    String longer = sbatch(8, "-N3", "--gres=gpu:4", "-t", "100", "--comment=ringmaster");
    steering()
        .until("it runs", () -> steering().is(longer, "running") && diary().hasStarted(longer));
    String shorter = sbatch(1, "-N3", "--gres=gpu:4", "-t", "1", "--comment=ringmaster");
    steering().until("the shorter is done", () -> steering().is(shorter, "succeeded"));
    assertThat(steering().jobOf(longer).state().isEnd()).isFalse();
    steering().until("the longer is done", () -> steering().is(longer, "succeeded"));
    assertThat(diary().starts(longer)).isEqualTo(2);
    assertThat(diary().done(longer)).isEqualTo(1);
  }

  /** Its jobs go on without it. */
  @Test
  void aSlurmdIsKilledAndStartedAgain() throws IOException {
    String id = sbatch(6, "--gres=gpu:4");
    steering().until("it runs", () -> diary().hasStarted(id) && steering().is(id, "running"));
    String node = diary().nodes(id);
    testbed.cluster("kill", node);
    String next = sbatch(1, "--gres=gpu:4");
    steering().until("another is done elsewhere", () -> steering().is(next, "succeeded"));
    testbed.cluster("start", node);
    steering().until("it is over", steering()::areAllOver);
    assertThat(diary().done(id)).isEqualTo(1);
    assertThat(diary().starts(id)).isEqualTo(1);
  }

  /** The server is killed while something else is broken, and that is mended later. */
  @ParameterizedTest
  @ValueSource(strings = {"drained", "without slurmd", "without munge", "without power"})
  void theServerIsKilledWhile(String fault) throws IOException {
    String runs = sbatch(4, "--gres=gpu:4");
    steering().until("it runs", () -> diary().hasStarted(runs) && steering().is(runs, "running"));
    String node = diary().nodes(runs);
    String waits = sbatch(1, "-N2", "--gres=gpu:4");
    switch (fault) {
      case "drained" -> {
        testbed.run("scontrol", "update", "nodename=" + node, "state=drain", "reason=fan");
        killBetweenCommands();
        testbed.run("scontrol", "update", "nodename=" + node, "state=resume");
      }
      case "without slurmd" -> {
        testbed.cluster("kill", node);
        killBetweenCommands();
        testbed.cluster("start", node);
      }
      case "without munge" -> {
        testbed.cluster("kill", "munged");
        steering().step(10);
        steering().kill(() -> testbed.cluster("start", "munged"));
      }
      default -> {
        testbed.cluster("power-off", node);
        killBetweenCommands();
        testbed.cluster("power-on", node);
      }
    }
    double took = steering().until("all is done", steering()::areAllOver);
    System.out.printf("server killed, a node %s: over after %.1f s%n", fault, took);
    for (String id : List.of(runs, waits)) {
      assertThat(steering().is(id, "succeeded")).isTrue();
      assertThat(diary().done(id)).isEqualTo(1);
    }
    steering()
        .until(
            "all nodes are back",
            () ->
                testbed.run("sinfo", "-h", "-N", "-p", "ring", "-t", "idle").lines().count() == 3);
  }

  private void killBetweenCommands() throws IOException {
    for (int kill = 0; kill < 3; kill++) {
      for (int step = 0; step < 4; step++) {
        steering().step(1 + kill);
        Partition.pause(60);
      }
      steering().kill();
    }
  }

  @Test
  void whatIsHeldBehindOurBackIsDoneOnceAllTheSame() throws IOException {
    String runs = sbatch(4, "--gres=gpu:4");
    steering().until("it runs", () -> diary().hasStarted(runs) && steering().is(runs, "running"));
    testbed.run("scontrol", "hold", runs);
    // Released, it waits for its node, and is held there.
    String id = sbatch(1, "--gres=gpu:1");
    Arrival arrival =
        steering().engine().observe().arrivals().stream()
            .filter(each -> PeoplesJobs.address(each.id()).equals(id))
            .findAny()
            .orElseThrow();
    Launch launch =
        new Launch(
            new AttemptId(1_000, 1),
            arrival.user(),
            arrival.spec(),
            Allocation.of(diary().nodes(runs) + ":1"),
            arrival.id(),
            1);
    steering().engine().launch(1, launch);
    testbed.run("scontrol", "hold", id);
    steering().until("all is done", () -> steering().jobs().size() == 2 && steering().areAllOver());
    for (String each : List.of(runs, id)) {
      assertThat(steering().is(each, "succeeded")).isTrue();
      assertThat(diary().done(each)).isEqualTo(1);
      assertThat(diary().starts(each)).isEqualTo(1);
    }
  }
}
