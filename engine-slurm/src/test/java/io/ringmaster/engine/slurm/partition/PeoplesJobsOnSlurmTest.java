package io.ringmaster.engine.slurm.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/**
 * People's own jobs on a real Slurm, with what goes wrong there. Each job adds a line to a file
 * when it starts and one when it is done, so that it can be seen what was done how often.
 */
class PeoplesJobsOnSlurmTest {
  private static @Nullable SlurmTestbed shared;

  private final SlurmTestbed testbed;
  private @Nullable Steering steering;
  private @Nullable Path diary;

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
    diary = Files.createTempFile(testbed.folder(), "diary", "");
    diary.toFile().setWritable(true, false);
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

  /**
   * Submits a job as an ordinary user, who knows nothing of Ringmaster. Returns its id in Slurm.
   */
  private String sbatch(double seconds, String... options) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "setpriv",
                "--reuid=games",
                "--regid=games",
                "--clear-groups",
                "sbatch",
                "--parsable",
                "-p",
                "ring",
                "-D",
                "/tmp",
                "-o",
                "/dev/null"));
    words.addAll(List.of(options));
    words.add(
        "--wrap=echo start $SLURM_JOB_ID $SLURM_JOB_NODELIST $CUDA_VISIBLE_DEVICES >>%s; sleep %s; echo done $SLURM_JOB_ID >>%s"
            .formatted(diary, seconds, diary));
    return testbed.run(words.toArray(String[]::new)).strip();
  }

  private List<String> diary() throws IOException {
    return Files.readAllLines(Objects.requireNonNull(diary));
  }

  private long done(String id) throws IOException {
    return diary().stream().filter(line -> line.equals("done " + id)).count();
  }

  private long starts(String id) throws IOException {
    return diary().stream().filter(line -> line.startsWith("start " + id + " ")).count();
  }

  private boolean hasStarted(String id) {
    try {
      return starts(id) > 0;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aJobOfSbatchIsHeldSeenPlacedReleasedAndDoneOnce() throws IOException {
    String id = sbatch(1, "-N2", "--gres=gpu:2", "-t", "10");
    assertThat(testbed.run("squeue", "-h", "-j", id, "-o", "%t %r")).startsWith("PD JobHeldUser");
    steering().until("it is over", () -> steering().is(id, "succeeded"));
    assertThat(steering().jobOf(id).user()).isEqualTo("games");
    assertThat(steering().jobOf(id).spec().gpus()).isEqualTo(4);
    assertThat(done(id)).isEqualTo(1);
    assertThat(starts(id)).isEqualTo(1);
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
    assertThat(diary().stream().filter(line -> line.startsWith("done"))).hasSize(4);
    assertThat(diary().getLast()).isEqualTo("done " + last);
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
    assertThat(done(first) + done(second)).isZero();
  }

  @Test
  void whatSomebodyElseRequeuesComesBackHeldAndIsDoneOnce() throws IOException {
    String id = sbatch(4, "--gres=gpu:1");
    steering().until("it runs", () -> steering().is(id, "running") && hasStarted(id));
    testbed.run("scontrol", "requeue", id);
    steering().until("it is done", () -> steering().is(id, "succeeded"));
    assertThat(done(id)).isEqualTo(1);
    assertThat(starts(id)).isEqualTo(2);
  }

  @Test
  void whatSomebodyElseReleasesIsSweptUpOrLeftAlone() throws IOException {
    String blocker = sbatch(6, "-N3", "--gres=gpu:4");
    String id = sbatch(1, "--gres=gpu:1");
    steering().until("it runs", () -> steering().is(blocker, "running"));
    testbed.run("scontrol", "release", id);
    steering().until("both are done", steering()::areAllOver);
    assertThat(done(blocker)).isEqualTo(1);
    assertThat(done(id)).isEqualTo(1);
    assertThat(starts(id)).isEqualTo(1);
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
      assertThat(done(id)).isEqualTo(1);
      assertThat(starts(id)).isEqualTo(1);
    }
  }

  /** It takes longer than slurmctld is away: else nobody there would know that it was done. */
  @Test
  void slurmctldIsKilledWithinASecondOfAChange() throws IOException {
    String id = sbatch(12, "--gres=gpu:2");
    Partition.pause(6000);
    steering().until("it runs", () -> hasStarted(id));
    testbed.cluster("kill", "slurmctld");
    Partition.pause(1000);
    testbed.cluster("start", "slurmctld");
    double took = steering().until("it is over", steering()::areAllOver);
    System.out.printf("slurmctld killed within a second of a start: over after %.1f s%n", took);
    assertThat(done(id)).isEqualTo(1);
  }

  @Test
  void aNodeLosesItsPower() throws IOException {
    String id = sbatch(5, "--gres=gpu:4");
    steering().until("it runs", () -> hasStarted(id) && steering().is(id, "running"));
    String node = testbed.run("squeue", "-h", "-j", id, "-o", "%N").strip();
    testbed.cluster("power-off", node);
    double took = steering().until("it is over", steering()::areAllOver);
    System.out.printf("node without power: over after %.1f s%n", took);
    testbed.cluster("power-on", node);
    assertThat(done(id)).isEqualTo(1);
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
    assertThat(diary().getFirst()).doesNotContain(" n1 ");
    assertThat(done(id)).isEqualTo(1);
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
    assertThat(diary().getFirst()).doesNotContain(" n1 ");
    assertThat(done(id)).isEqualTo(1);
  }

  @Test
  void oneThatSaysSoIsStoppedForAnotherAndGoesOnLater() throws IOException {
    steering().close();
    steering = new Steering(testbed, "srtf", Map.of());
    String longer = sbatch(8, "-N3", "--gres=gpu:4", "-t", "100", "--comment=ringmaster");
    steering().until("it runs", () -> steering().is(longer, "running") && hasStarted(longer));
    String shorter = sbatch(1, "-N3", "--gres=gpu:4", "-t", "1", "--comment=ringmaster");
    steering().until("the shorter is done", () -> steering().is(shorter, "succeeded"));
    assertThat(steering().jobOf(longer).state().isEnd()).isFalse();
    steering().until("the longer is done", () -> steering().is(longer, "succeeded"));
    assertThat(starts(longer)).isEqualTo(2);
    assertThat(done(longer)).isEqualTo(1);
  }
}
