package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * EASY backfilling keeps its reservation from event to event and finds candidates in a tree. The
 * textbook computes all anew and scans the whole queue; it is written here, with a tiny simulator
 * of its own.
 */
class EasyTest {
  @ParameterizedTest(name = "{0} jobs, placement {1}")
  @CsvSource({"6, any, 500", "25, any, 400", "25, pack, 200", "25, spread, 100", "200, any, 40"})
  void startsEveryJobWhenTheTextbookDoes(int count, String placement, int seeds) {
    Seeds.each(
        seeds,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, 0);
          Jobs jobs =
              random.nextBoolean()
                  ? Workloads.whole(random, cluster, count)
                  : Workloads.distinct(random, cluster, count);

          RunResult ours = Runs.run(cluster, jobs, "easy", "placement=" + placement);

          assertThat(starts(jobs, ours))
              .as(() -> Workloads.describe(cluster, jobs))
              .isEqualTo(textbook(cluster, jobs, jobs::work));
        });
  }

  /** Gaps that open because a job ends before its time are used as the textbook uses them. */
  @ParameterizedTest(name = "{0} jobs")
  @CsvSource({"8, 300", "30, 200"})
  void alsoIfJobsEndSoonerThanEstimated(int count, int seeds) {
    Seeds.each(
        seeds,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, 0);
          Jobs jobs = Workloads.overestimated(random, cluster, count, seed);

          RunResult ours =
              Runs.run(cluster, jobs, "easy", seed, RunObserver.NONE, "estimate=noise:1");

          assertThat(starts(jobs, ours))
              .as(() -> Workloads.describe(cluster, jobs))
              .isEqualTo(textbook(cluster, jobs, job -> Workloads.noisy(jobs, cluster, job, seed)));
        });
  }

  private static List<Double> starts(Jobs jobs, RunResult run) {
    List<Double> starts = new ArrayList<>();
    for (int job = 0; job < jobs.size(); job++) {
      starts.add(run.startSeconds(job));
    }
    return starts;
  }

  private static List<Double> textbook(Cluster cluster, Jobs jobs, IntToDoubleFunction told) {
    List<Integer> queue = new ArrayList<>();
    List<Integer> running = new ArrayList<>();
    double[] start = new double[jobs.size()];
    int arrived = 0;
    int free = cluster.totalGpus();
    while (arrived < jobs.size() || !queue.isEmpty()) {
      double next = arrived < jobs.size() ? jobs.submitSeconds(arrived) : Double.POSITIVE_INFINITY;
      for (int job : running) {
        next = Math.min(next, start[job] + jobs.work(job));
      }
      double now = next;
      Predicate<Integer> ended = job -> start[job] + jobs.work(job) == now;
      free += running.stream().filter(ended).mapToInt(jobs::gpus).sum();
      running.removeIf(ended);
      while (arrived < jobs.size() && jobs.submitSeconds(arrived) == now) {
        queue.add(arrived++);
      }
      List<Integer> chosen = chosen(jobs, told, queue, running, start, now, free);
      queue.removeAll(chosen);
      running.addAll(chosen);
      for (int job : chosen) {
        start[job] = now;
        free -= jobs.gpus(job);
      }
    }
    return Arrays.stream(start).boxed().toList();
  }

  private static List<Integer> chosen(
      Jobs jobs,
      IntToDoubleFunction told,
      List<Integer> queue,
      List<Integer> running,
      double[] start,
      double now,
      int freeNow) {
    List<Integer> chosen = new ArrayList<>();
    int free = freeNow;
    int at = 0;
    while (at < queue.size() && jobs.gpus(queue.get(at)) <= free) {
      chosen.add(queue.get(at));
      free -= jobs.gpus(queue.get(at++));
    }
    if (at == queue.size()) {
      return chosen;
    }
    record End(double seconds, int gpus) {}
    List<End> ends = new ArrayList<>();
    running.forEach(job -> ends.add(new End(start[job] + told.applyAsDouble(job), jobs.gpus(job))));
    chosen.forEach(job -> ends.add(new End(now + told.applyAsDouble(job), jobs.gpus(job))));
    ends.sort(Comparator.comparingDouble(End::seconds));
    int head = jobs.gpus(queue.get(at));
    double shadow = now;
    int then = free;
    for (End end : ends) {
      if (then < head || end.seconds() <= shadow) {
        shadow = end.seconds();
        then += end.gpus();
      }
    }
    int extra = then - head;
    for (int job : queue.subList(at + 1, queue.size())) {
      boolean inTime = now + told.applyAsDouble(job) <= shadow;
      if (jobs.gpus(job) <= free && (inTime || jobs.gpus(job) <= extra)) {
        chosen.add(job);
        free -= jobs.gpus(job);
        extra -= inTime ? 0 : jobs.gpus(job);
      }
    }
    return chosen;
  }
}
