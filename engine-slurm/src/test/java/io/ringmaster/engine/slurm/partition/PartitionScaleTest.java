package io.ringmaster.engine.slurm.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.testing.Namespace;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Measures, if asked to, and prints what it saw. Each brings up a testbed of its own. */
class PartitionScaleTest {
  private static final int PASSES = 21;
  private static final int AT_ONCE = 500;

  /**
   * A pass with a long queue: look, decide, release. With {@code -Dringmaster.slurm.jobs=5000} so
   * many jobs of one GPU are held in the partition, which takes minutes; with {@code
   * -Dringmaster.slurm.rest=true} slurmrestd is asked.
   */
  @Test
  void aPassWithALongQueue() throws IOException {
    int jobs = Integer.getInteger("ringmaster.slurm.jobs", 0);
    assumeTrue(jobs > 0, "takes minutes: -Dringmaster.slurm.jobs=5000");
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    boolean byRest = Boolean.getBoolean("ringmaster.slurm.rest");
    try (SlurmTestbed testbed = Partition.up(2, Map.of("REST", byRest ? "yes" : "no"));
        Namespace _ = testbed.enter()) {
      for (int given = 0; given < jobs; given += AT_ONCE) {
        testbed.run(
            "sh",
            "-c",
            "for i in $(seq %d); do sbatch -Q -p ring --hold --gres=gpu:1 -t 60 -o /dev/null --wrap 'sleep 1'; done"
                .formatted(AT_ONCE));
      }
      Map<String, String> settings = new HashMap<>(Map.of("poll-s", "60"));
      if (byRest) {
        settings.putAll(Partition.rest(testbed, 3600));
      }
      try (Steering steering = new Steering(testbed, "fifo", settings)) {
        steering.until("all are seen", () -> steering.jobs().size() >= jobs);
        List<Steering.Pass> passes = new ArrayList<>();
        while (passes.size() < PASSES) {
          Partition.pause(500);
          steering.pass().ifPresent(passes::add);
        }
        print("look", passes.stream().map(Steering.Pass::lookMillis).toList());
        print("decide", passes.stream().map(Steering.Pass::decideMillis).toList());
        print("release", passes.stream().map(Steering.Pass::releaseMillis).toList());
        print("all of it", passes.stream().map(Steering.Pass::millis).toList());
        System.out.printf(
            "jobs released in a pass: %.1f in the mean%n",
            passes.stream().mapToInt(Steering.Pass::released).average().orElse(0));
        assertThat(passes).anyMatch(pass -> pass.released() > 0);
      }
    }
  }

  /**
   * From a decision to the first line of a job's script, beside what sbatch alone takes to get
   * there. With {@code -Dringmaster.slurm.starts=20}, turn by turn.
   */
  @Test
  void aStartBesideOneOfSbatchAlone() throws IOException {
    int starts = Integer.getInteger("ringmaster.slurm.starts", 0);
    assumeTrue(starts > 0, "measures: -Dringmaster.slurm.starts=20");
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    List<Double> alone = new ArrayList<>();
    List<Double> decided = new ArrayList<>();
    try (SlurmTestbed testbed = Partition.up(2, Map.of());
        Engine engine =
            SlurmEngine.KIND.open(
                new EngineSetup(
                    testbed.folder().resolve("server"),
                    Partition.settings(testbed, Map.of("poll-s", "60")),
                    null))) {
      for (int i = 1; i <= starts; i++) {
        Path first = testbed.folder().resolve("alone" + i);
        double from = System.currentTimeMillis();
        sbatch(testbed, first, List.of());
        alone.add(began(first) - from);
        Path second = testbed.folder().resolve("decided" + i);
        sbatch(testbed, second, List.of("--hold"));
        Arrival arrival =
            engine.observe().arrivals().stream()
                .filter(each -> each.state() == Arrival.State.READY)
                .findAny()
                .orElseThrow();
        AttemptId attempt = new AttemptId(i, 1);
        from = System.currentTimeMillis();
        engine.launch(
            i,
            new Launch(
                attempt,
                arrival.user(),
                arrival.spec(),
                Allocation.of("n%d:1".formatted(1 + i % 2)),
                arrival.id(),
                1));
        decided.add(began(second) - from);
        while (!engine.observe().attempts().getLast().phase().isEnd()) {
          Partition.pause(20);
        }
        engine.forget(i, attempt);
      }
    }
    print("sbatch alone until it runs", alone);
    print("a decision until it runs", decided);
  }

  private static void sbatch(SlurmTestbed testbed, Path says, List<String> more) {
    List<String> words = new ArrayList<>(List.of("sbatch", "-Q", "-p", "ring", "--gres=gpu:1"));
    words.addAll(more);
    words.addAll(List.of("-o", "/dev/null", "--wrap", "date +%s%3N >" + says));
    testbed.run(words.toArray(String[]::new));
  }

  /** What its script wrote down: when it began, in milliseconds since 1970. */
  private static double began(Path says) throws IOException {
    while (!Files.exists(says) || Files.size(says) == 0) {
      Partition.pause(5);
    }
    return Double.parseDouble(Files.readString(says).strip());
  }

  private static void print(String what, List<Double> millis) {
    double[] sorted = millis.stream().mapToDouble(m -> m).sorted().toArray();
    System.out.printf(
        "%s: %.0f/%.0f/%.0f ms, least/median/most of %d%n",
        what, sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1], sorted.length);
  }
}
