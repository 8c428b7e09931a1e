package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.View;
import io.ringmaster.testing.Seeds;
import java.util.Map;
import java.util.SortedSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Preemptive policies with consolidated placement: no job waits while a server, or whole servers
 * for a job of more than one, could be had by stopping only jobs that are behind it; unless one
 * ahead of it, no larger, waits too.
 */
class ConsolidatedPreemptionTest {
  @ParameterizedTest
  @CsvSource({"srtf, 12, 400", "srsf, 12, 400", "srtf, 60, 100", "srsf, 60, 100"})
  void nobodyWaitsForJobsThatAreBehind(String policy, int count, int seeds) {
    boolean timesGpus = policy.equals("srsf");
    Seeds.each(
        seeds,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, 0);
          Jobs jobs =
              seed % 2 == 0
                  ? Workloads.whole(random, cluster, count)
                  : Workloads.distinct(random, cluster, count);
          Watched.run(
              cluster,
              jobs,
              policy,
              Map.of("placement", "consolidate"),
              seed,
              (view, active) -> {
                for (int job : active) {
                  if (view.waiting(job) && first(view, active, jobs, job, timesGpus)) {
                    assertThat(room(view, active, jobs, job, timesGpus))
                        .as(
                            "GPUs that job %d, which waits for %d, could have at %s; %s",
                            job,
                            view.gpus(job),
                            view.nowSeconds(),
                            Workloads.describe(cluster, jobs))
                        .isLessThan(view.gpus(job));
                  }
                }
              });
        });
  }

  /** True if no other job that waits is both ahead and no larger. */
  private static boolean first(
      View view, SortedSet<Integer> active, Jobs jobs, int job, boolean timesGpus) {
    return active.stream()
        .noneMatch(other ->
            other != job
                && view.waiting(other)
                && view.gpus(other) <= view.gpus(job)
                && left(view, jobs, other, timesGpus) <= left(view, jobs, job, timesGpus));
  }

  /** What is left of a job: exact, since a second of GPUs is a second of work here. */
  private static double left(View view, Jobs jobs, int job, boolean timesGpus) {
    double seconds = jobs.work(job) - view.attainedGpuSeconds(job) / jobs.gpus(job);
    return timesGpus ? seconds * jobs.gpus(job) : seconds;
  }

  /** The most GPUs that one server, or whole ones together, could give to a waiting job. */
  private static int room(
      View view, SortedSet<Integer> active, Jobs jobs, int waiting, boolean timesGpus) {
    Cluster cluster = view.cluster();
    int[] held = new int[cluster.size()];
    for (int job : active) {
      if (view.running(job)
          && left(view, jobs, job, timesGpus) <= left(view, jobs, waiting, timesGpus)) {
        Placement placement = view.placement(job);
        for (int i = 0; i < placement.size(); i++) {
          held[placement.server(i)] += placement.gpus(i);
        }
      }
    }
    int one = 0;
    int whole = 0;
    for (int s = 0; s < held.length; s++) {
      one = Math.max(one, cluster.gpus(s) - held[s]);
      whole += held[s] == 0 ? cluster.gpus(s) : 0;
    }
    return view.gpus(waiting) > cluster.maxServerGpus() ? whole : one;
  }
}
