package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LengthsTest {
  private static final Cluster CLUSTER = Cluster.uniform(1, 8, Network.None.USUAL, 0);

  private static String body(int gpus, String group) {
    return "{\"command\": [\"train\"], \"gpus\": %d, \"group\": \"%s\"}".formatted(gpus, group);
  }

  /** Jobs of a group run one after the other, each for a time. */
  private static Stage past(String group, int gpus, double... seconds) {
    Stage stage = new Stage(1, 8, "fifo", Map.of());
    for (double each : seconds) {
      run(stage, group, gpus, each);
    }
    return stage;
  }

  private static void run(Stage stage, String group, int gpus, double seconds) {
    long id = stage.submit(body(gpus, group));
    stage.runs(id);
    stage.now += seconds;
    stage.exits(id, 0, false);
  }

  private static Job like(String user, int gpus, String group) {
    return Lifecycle.submitted(999, user, "", JobSpecs.of(Json.parse(body(gpus, group))), 0);
  }

  private static double seconds(Lengths lengths, Job job) {
    return lengths.seconds(job, ModelTable.standard(), CLUSTER);
  }

  private static String why(Lengths lengths, Job job) {
    return lengths.why(job, ModelTable.standard(), CLUSTER);
  }

  @Test
  void fewJobsCountByTheirMean() {
    Stage stage = past("x", 2, 10, 20, 60);
    Lengths lengths = new Lengths(stage.store.load().finished());
    assertThat(seconds(lengths, like("ada", 2, "x"))).isCloseTo(30, within(1e-9));
    assertThat(why(lengths, like("ada", 2, "x")))
        .isEqualTo(
            "its length, 30 s, is predicted; the last 3 jobs of group x took 20 s in the middle");
    assertThat(why(lengths, like("ada", 2, "")))
        .isEqualTo(
            "its length, 30 s, is predicted; the last 3 jobs of ada took 20 s in the middle");
    assertThat(why(lengths, like("bob", 2, "")))
        .isEqualTo(
            "its length, 30 s, is predicted; the last 3 jobs of anybody took 20 s in the middle");
    assertThat(why(new Lengths(List.of()), like("bob", 2, "")))
        .isEqualTo("its length, 3600 s, is a guess: no job has succeeded yet");
  }

  @Test
  void theForestTellsGroupsAndSizesApart() {
    // Group a takes 100 s a GPU, group b 10 s: what a mean of the group cannot tell.
    SplittableRandom random = new SplittableRandom(7);
    Stage stage = new Stage(1, 8, "fifo", Map.of());
    for (int i = 0; i < 240; i++) {
      int gpus = 1 << random.nextInt(4);
      boolean a = random.nextBoolean();
      run(stage, a ? "a" : "b", gpus, (a ? 100 : 10) * gpus);
    }
    Lengths lengths = new Lengths(stage.store.load().finished());
    double small = seconds(lengths, like("ada", 1, "a"));
    assertThat(seconds(lengths, like("ada", 8, "a"))).isGreaterThan(1.3 * small);
    assertThat(small).isGreaterThan(3 * seconds(lengths, like("ada", 1, "b")));
  }

  @Test
  void takingUpFromTheStoreIsBeingToldTheSameAgain() {
    Stage stage = past("x", 2, 10);
    List<Job> told = new ArrayList<>();
    Lengths live = new Lengths(List.of());
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 120; i++) {
      run(stage, "g" + random.nextInt(3), 1 + random.nextInt(8), 1 + random.nextInt(500));
    }
    stage
        .store
        .load()
        .finished()
        .forEach(job -> {
          live.finished(job);
          told.add(job);
        });
    Lengths again = new Lengths(told);
    for (int gpus = 1; gpus <= 8; gpus++) {
      assertThat(seconds(again, like("ada", gpus, "g1")))
          .isEqualTo(seconds(live, like("ada", gpus, "g1")));
    }
  }

  @Test
  void whatIsSaidGoesFirst() {
    Stage stage = past("x", 2, 10, 10, 10);
    Job said =
        Lifecycle.submitted(
            9,
            "ada",
            "",
            JobSpecs.of(
                Json.parse(
                    "{\"command\": [\"t\"], \"gpus\": 2, \"group\": \"x\", \"duration_s\": 77}")),
            0);
    assertThat(seconds(new Lengths(stage.store.load().finished()), said)).isEqualTo(77);
  }
}
