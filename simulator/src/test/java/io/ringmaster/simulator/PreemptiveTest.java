package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The preemptive policies look at few jobs an event; the walk that they stand for looks at all. It
 * is written here as plainly as can be, and both must run every job at the same times.
 */
class PreemptiveTest {
  @ParameterizedTest(name = "{0}, {1} jobs")
  @CsvSource({"srtf, 8, 300", "srsf, 8, 300", "srtf, 30, 200", "srsf, 30, 200", "srsf, 150, 40"})
  void runsEveryJobWhenTheFullWalkDoes(String policy, int count, int seeds) {
    Seeds.each(
        seeds,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, 0);
          sameAsFullWalk(cluster, Workloads.distinct(random, cluster, count), policy, seed);
        });
  }

  @ParameterizedTest(name = "{0}, {1} jobs")
  @CsvSource({"srtf, 8, 600", "srsf, 8, 600", "srtf, 30, 400", "srsf, 30, 400", "srsf, 150, 40"})
  void tiesBreakAsInTheFullWalk(String policy, int count, int seeds) {
    Seeds.each(
        seeds,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, 0);
          sameAsFullWalk(cluster, Workloads.whole(random, cluster, count), policy, seed);
        });
  }

  private static void sameAsFullWalk(Cluster cluster, Jobs jobs, String policy, long seed) {
    Spans ours = new Spans(jobs.size());
    Runs.run(cluster, jobs, policy, seed, ours, "placement=any");
    assertThat(ours.texts())
        .as(() -> Workloads.describe(cluster, jobs))
        .isEqualTo(fullWalk(cluster, jobs, policy.equals("srsf")).texts());
  }

  /**
   * At each event a list of all jobs, kept from the event before with arrivals at its end, is
   * sorted stably by what is left, and GPUs are dealt out from its front; who does not fit is
   * skipped.
   */
  private static Spans fullWalk(Cluster cluster, Jobs jobs, boolean timesGpus) {
    Spans spans = new Spans(jobs.size());
    long[] left = new long[jobs.size()];
    for (int job = 0; job < left.length; job++) {
      left[job] = (long) jobs.work(job);
    }
    List<Integer> active = new ArrayList<>();
    List<Integer> running = new ArrayList<>();
    int arrived = 0;
    long now = 0;
    while (arrived < jobs.size() || !active.isEmpty()) {
      long next = arrived < jobs.size() ? (long) jobs.submitSeconds(arrived) : Long.MAX_VALUE;
      for (int job : running) {
        next = Math.min(next, now + left[job]);
      }
      for (int job : running) {
        left[job] -= next - now;
        if (next > now) {
          spans.add(job, (double) now, (double) next);
        }
      }
      now = next;
      active.removeIf(job -> left[job] == 0);
      while (arrived < jobs.size() && jobs.submitSeconds(arrived) == now) {
        active.add(arrived++);
      }
      active.sort(Comparator.comparingLong(job -> left[job] * (timesGpus ? jobs.gpus(job) : 1)));
      running.clear();
      int free = cluster.totalGpus();
      for (int job : active) {
        if (jobs.gpus(job) <= free) {
          free -= jobs.gpus(job);
          running.add(job);
        }
      }
    }
    return spans;
  }
}
