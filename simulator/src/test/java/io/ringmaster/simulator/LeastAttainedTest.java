package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.View;
import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Least attained service: the queues are served in order, and a job falls when it must. */
class LeastAttainedTest {
  /** Jobs this near to a threshold, in GPU-seconds, may count as on either side. */
  private static final double ROUNDING = 1e-6;

  @ParameterizedTest
  @ValueSource(strings = {"20", "20,60", "1,2,3,1000"})
  void noJobOfALaterQueueRunsWhileOneOfAnEarlierThatFitsWaits(String queues) {
    double[] thresholds =
        Arrays.stream(queues.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
    Seeds.each(
        200,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.NONE, seed % 2 == 0 ? 0 : 3);
          Jobs jobs = Workloads.whole(random, cluster, 30);
          Watched.run(
              cluster,
              jobs,
              "las",
              Map.of("placement", "any", "queues", queues),
              seed,
              (view, active) -> served(view, active, thresholds));
        });
  }

  private static void served(View view, SortedSet<Integer> active, double[] thresholds) {
    for (int waiting : active) {
      if (!view.waiting(waiting)) {
        continue;
      }
      int queue = queue(view.attainedGpuSeconds(waiting) + ROUNDING, thresholds);
      int within = view.free().total();
      for (int running : active) {
        if (view.running(running)
            && queue(view.attainedGpuSeconds(running) - ROUNDING, thresholds) > queue) {
          within += view.gpus(running);
        }
      }
      assertThat(view.gpus(waiting))
          .as(
              "at %s s job %d waits in queue %d: GPUs that are free or with later queues",
              view.nowSeconds(), waiting, queue)
          .isGreaterThan(within);
    }
  }

  private static int queue(double attained, double[] thresholds) {
    int queue = 0;
    while (queue < thresholds.length && attained >= thresholds[queue]) {
      queue++;
    }
    return queue;
  }

  /**
   * Four GPUs, threshold 200 GPU-seconds. "old" holds all four from 0 and passes 200 at 50: until
   * then "new", which came at 20, waits behind it; at 50 it stops "old" and runs to 60.
   */
  @Test
  void aJobFallsExactlyAtTheThreshold() {
    Cluster cluster = Cluster.uniform(1, 4, Network.NONE, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("old", 0, 4, 100, "")
            .addDuration("new", 20, 4, 10, "")
            .build();
    Spans spans = new Spans(2);
    Runs.run(cluster, jobs, "las", 1, spans, "queues=200");
    assertThat(spans.texts()).containsExactly("job 0: 0.0-50.0 60.0-110.0", "job 1: 50.0-60.0");
  }

  /** Half the GPUs attain half as fast: 100 s until 200 GPU-seconds. */
  @Test
  void serviceIsTimeByGpus() {
    Cluster cluster = Cluster.uniform(1, 2, Network.NONE, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("old", 0, 2, 150, "")
            .addDuration("new", 20, 2, 10, "")
            .build();
    Spans spans = new Spans(2);
    Runs.run(cluster, jobs, "las", 1, spans, "queues=200");
    assertThat(spans.texts()).containsExactly("job 0: 0.0-100.0 110.0-160.0", "job 1: 100.0-110.0");
  }

  /**
   * One GPU, thresholds 10 and 30. "a" falls at 10 and "b" runs until it falls too, at 20. Both are
   * in the second queue: "a", which waits there, is behind "b", which runs, until "b" has 30 at 40
   * and falls again. "a" then runs its 20 to 60, ends there, and "b" ends its last 5 at 65.
   */
  @Test
  void inOneQueueRunningJobsStayAheadOfWaitingOnes() {
    Cluster cluster = Cluster.uniform(1, 1, Network.NONE, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 1, 30, "")
            .addDuration("b", 0, 1, 35, "")
            .build();
    Spans spans = new Spans(2);
    Runs.run(cluster, jobs, "las", 1, spans, "queues=10,30");
    assertThat(spans.texts())
        .containsExactly("job 0: 0.0-10.0 40.0-60.0", "job 1: 10.0-40.0 60.0-65.0");
  }

  /**
   * One GPU, threshold 10. "a" falls at 10 and waits in the second queue, where "b" joins it at 20
   * and runs on. At 25 "c" stops "b", which then waits ahead of "a" and goes on first at 30.
   */
  @Test
  void aSuspendedJobWaitsAheadOfThoseThatWaitedAlready() {
    Cluster cluster = Cluster.uniform(1, 1, Network.NONE, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 1, 30, "")
            .addDuration("b", 0, 1, 30, "")
            .addDuration("c", 25, 1, 5, "")
            .build();
    Spans spans = new Spans(3);
    Runs.run(cluster, jobs, "las", 1, spans, "queues=10");
    assertThat(spans.texts())
        .containsExactly(
            "job 0: 0.0-10.0 45.0-65.0", "job 1: 10.0-25.0 30.0-45.0", "job 2: 25.0-30.0");
  }

  @Test
  void jobsThatNeverPassAThresholdRunFirstComeFirstServed() {
    Cluster cluster = Cluster.uniform(1, 1, Network.NONE, 7);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 1, 30, "")
            .addDuration("b", 1, 1, 5, "")
            .addDuration("c", 2, 1, 1, "")
            .build();
    Spans spans = new Spans(3);
    Runs.run(cluster, jobs, "las", 1, spans, "queues=1000");
    assertThat(spans.texts())
        .containsExactly("job 0: 0.0-30.0", "job 1: 30.0-35.0", "job 2: 35.0-36.0");
  }
}
