package io.ringmaster.engine.slurm.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What people's jobs ask for beside GPUs, what others hold, and what Slurm itself makes them wait
 * for, on a real Slurm whose nodes differ.
 */
class PeoplesNeedsOnSlurmTest {
  private static @Nullable SlurmTestbed shared;

  private final SlurmTestbed testbed;
  private @Nullable Steering steering;
  private @Nullable Diary diary;

  @BeforeAll
  static void up() throws IOException {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    SlurmTestbed up =
        Partition.up(3, Map.of("KINDS", "a100 a100 v100", "FEATURES", "big,fast fast fast"));
    shared = up;
    Partition.installLua(up);
  }

  @AfterAll
  static void down() {
    if (shared != null) {
      shared.close();
    }
  }

  PeoplesNeedsOnSlurmTest() {
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
      testbed.run("scancel", "-p", "main");
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

  private boolean waitsSaying(String id, String words) {
    return steering().is(id, "submitted") && steering().jobOf(id).reason().contains(words);
  }

  private String state(String id) {
    return testbed.run("squeue", "-h", "-j", id, "-o", "%t").strip();
  }

  @Test
  void itsNodesAreThoseThatItsOwnerMeant() {
    String features = sbatch(1, "--gres=gpu:1", "-C", "big&fast");
    String named = sbatch(1, "--gres=gpu:1", "-w", "n3");
    String excluding = sbatch(1, "--gres=gpu:1", "-x", "n[1-2]");
    String kind = sbatch(1, "--gres=gpu:v100:1");
    String both = sbatch(1, "-N2", "--gres=gpu:1", "-w", "n1,n3");
    String cores = sbatch(1, "--gres=gpu:1", "--cpus-per-gpu=4", "--mem-per-gpu=100M");
    steering().until("all are seen", () -> steering().jobs().size() == 6);
    steering().until("all are over", steering()::areAllOver);
    assertThat(diary().nodes(features)).isEqualTo("n1");
    assertThat(diary().nodes(named)).isEqualTo("n3");
    assertThat(diary().nodes(excluding)).isEqualTo("n3");
    assertThat(diary().nodes(kind)).isEqualTo("n3");
    assertThat(diary().nodes(both)).isEqualTo("n[1,3]");
    assertThat(steering().jobOf(cores).spec().cpusPerGpu()).isEqualTo(4);
    assertThat(diary().done(cores)).isEqualTo(1);
  }

  @Test
  void whatOthersHoldIsNotGivenAway() {
    diary().sbatch(300, "-p", "main", "-w", "n1", "-n", "12");
    diary().sbatch(300, "-p", "main", "-w", "n2", "--gres=gpu:4");
    steering()
        .until("others run", () -> testbed.run("squeue", "-h", "-t", "R").lines().count() == 2);
    String id = sbatch(1, "--gres=gpu:1", "-n", "8");
    String large = sbatch(1, "-N1", "--gres=gpu:1", "-n", "17");
    steering().until("it is done", () -> steering().is(id, "succeeded"));
    assertThat(diary().nodes(id)).isEqualTo("n3");
    // More CPUs than any node has: it waits, and is nobody's to cancel.
    steering().until("that is said", () -> waitsSaying(large, "never fit"));
    assertThat(state(large)).isEqualTo("PD");
  }

  @Test
  void whatCannotBeFollowedWaitsAndSaysWhy() {
    String any = sbatch(1, "--gres=gpu:1", "-C", "[big|fast]");
    String some = sbatch(1, "-N2", "--gres=gpu:1", "-w", "n1");
    String later = sbatch(1, "--gres=gpu:1", "--begin=now+1hour");
    steering().until("features are said", () -> waitsSaying(any, "-C [big|fast]"));
    steering().until("nodes are said", () -> waitsSaying(some, "-N2 -w n1"));
    steering().until("the date is said", () -> waitsSaying(later, "--begin"));
    String none = sbatch(1, "--gres=gpu:v100:1", "-w", "n1");
    steering().until("that no node will do is said", () -> waitsSaying(none, "never fit"));
    assertThat(testbed.run("squeue", "-h", "-p", "ring", "-t", "PD").lines()).hasSize(4);
  }

  /** Nothing tells that a job wants its nodes for itself, until Slurm makes it wait for that. */
  @Test
  void whatSlurmMakesWaitGivesItsGpusBackAndIsNeverCancelled() {
    for (String node : new String[] {"n1", "n2", "n3"}) {
      diary().sbatch(300, "-p", "main", "-w", node, "--gres=gpu:1");
    }
    steering()
        .until("others run", () -> testbed.run("squeue", "-h", "-t", "R").lines().count() == 3);
    String alone = sbatch(1, "-N3", "--gres=gpu:3", "--exclusive");
    String next = sbatch(1, "-N3", "--gres=gpu:3");
    steering().until("the next is done", () -> steering().is(next, "succeeded"));
    assertThat(steering().jobOf(alone).state().isEnd()).isFalse();
    assertThat(diary().starts(alone)).isZero();
    testbed.run("scancel", "-p", "main");
    steering().until("it is done", () -> steering().is(alone, "succeeded"));
    assertThat(diary().done(alone)).isEqualTo(1);
  }

  @Test
  void anArrayRunsAsManyTasksAsItMayAtOnce() {
    String array = sbatch(300, "--gres=gpu:1", "--array=1-3%1");
    steering()
        .until(
            "the others wait for the first",
            () ->
                steering().jobs().stream()
                        .filter(job -> job.reason().contains("no more may at once"))
                        .count()
                    == 2);
    String first = testbed.run("squeue", "-h", "-r", "-t", "R", "-o", "%i").strip();
    testbed.run("scancel", first);
    steering()
        .until(
            "another runs",
            () -> testbed.run("squeue", "-h", "-r", "-t", "R", "-o", "%i").startsWith(array + "_"));
    assertThat(diary().lines()).hasSize(2);
  }

  @Test
  void whoNamesNoPartitionIsHeldInTheDefaultOne() {
    makeDefault("main", "ring");
    try {
      String id = diary().submit("--gres=gpu:1", "--wrap=true");
      assertThat(testbed.run("squeue", "-h", "-j", id, "-o", "%P %t %r"))
          .startsWith("ring PD JobHeldUser");
    } finally {
      makeDefault("ring", "main");
    }
    String elsewhere = diary().submit("--wrap=true");
    assertThat(testbed.run("squeue", "-h", "-a", "-t", "all", "-j", elsewhere, "-o", "%P %r"))
        .startsWith("main")
        .doesNotContain("Held");
  }

  private void makeDefault(String before, String now) {
    testbed.run("scontrol", "update", "partitionname=" + before, "default=no");
    testbed.run("scontrol", "update", "partitionname=" + now, "default=yes");
  }

  @Test
  void itsOwnerMayNotReleaseItAndABrokenLuaIsSweptUp() throws IOException {
    String blocker = sbatch(300, "-N3", "--gres=gpu:4");
    String id = sbatch(1, "--gres=gpu:1");
    steering().until("the first runs", () -> steering().is(blocker, "running"));
    assertThatThrownBy(() -> diary().asUser("scontrol", "release", id));
    assertThat(testbed.run("squeue", "-h", "-j", id, "-o", "%r")).contains("JobHeldUser");
    Path lua = testbed.folder().resolve("etc/job_submit.lua");
    String good = Files.readString(lua);
    Files.writeString(lua, good.replace("job.priority = 0", "job.priority = nothing.there"));
    try {
      // Slurm looks at the time of the file, in seconds.
      Partition.pause(1100);
      Files.writeString(lua, Files.readString(lua) + "\n");
      String loose = sbatch(1, "--gres=gpu:1");
      assertThat(testbed.run("squeue", "-h", "-j", loose, "-o", "%r")).doesNotContain("Held");
      steering()
          .until(
              "it is held",
              () -> testbed.run("squeue", "-h", "-j", loose, "-o", "%r").contains("JobHeld"));
    } finally {
      Partition.pause(1100);
      Files.writeString(lua, good);
    }
  }
}
