package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.policy.View;
import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedSet;
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
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, seed % 2 == 0 ? 0 : 3);
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
}
