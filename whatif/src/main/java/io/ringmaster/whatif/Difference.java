package io.ringmaster.whatif;

import io.ringmaster.model.Jobs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a case did to the jobs of one replay, job by job.
 *
 * @param sooner share of the jobs that wait less, by over a minute
 * @param later share of the jobs that wait longer, by over a minute
 * @param meanWaitSeconds how much longer jobs wait in the mean
 * @param bySize mean waits by GPUs asked for
 * @param byUser mean waits by user
 */
record Difference(
    double sooner,
    double later,
    double meanWaitSeconds,
    Map<Integer, Waits> bySize,
    Map<String, Waits> byUser) {
  private static final double NOTICED_SECONDS = 60;

  /** Sums of waits of some jobs, before and after. */
  record Waits(int jobs, double beforeSeconds, double afterSeconds) {
    Waits plus(Waits more) {
      return new Waits(
          jobs + more.jobs, beforeSeconds + more.beforeSeconds, afterSeconds + more.afterSeconds);
    }

    double meanChangeSeconds() {
      return (afterSeconds - beforeSeconds) / jobs;
    }
  }

  static Difference of(Outcome before, Outcome after) {
    Jobs jobs = before.jobs();
    boolean same = jobs == after.jobs();
    Map<String, Integer> places = same ? Map.of() : after.byId();
    Map<Integer, Waits> bySize = new TreeMap<>();
    Map<String, Waits> byUser = new HashMap<>();
    int sooner = 0;
    int later = 0;
    int compared = 0;
    double longer = 0;
    for (int job = 0; job < jobs.size(); job++) {
      Integer place = same ? Integer.valueOf(job) : places.get(jobs.id(job));
      if (place == null) {
        continue;
      }
      Waits waits = new Waits(1, before.wait(job), after.wait(place));
      compared++;
      longer += waits.meanChangeSeconds();
      sooner += waits.meanChangeSeconds() < -NOTICED_SECONDS ? 1 : 0;
      later += waits.meanChangeSeconds() > NOTICED_SECONDS ? 1 : 0;
      bySize.merge(jobs.gpus(job), waits, Waits::plus);
      if (jobs.user(job) >= 0) {
        byUser.merge(jobs.userNames().get(jobs.user(job)), waits, Waits::plus);
      }
    }
    double all = compared;
    return new Difference(sooner / all, later / all, longer / all, bySize, byUser);
  }

  /** All draws together. */
  static Difference mean(List<Difference> draws) {
    Map<Integer, Waits> bySize = new TreeMap<>();
    Map<String, Waits> byUser = new TreeMap<>();
    for (Difference draw : draws) {
      draw.bySize.forEach((size, waits) -> bySize.merge(size, waits, Waits::plus));
      draw.byUser.forEach((user, waits) -> byUser.merge(user, waits, Waits::plus));
    }
    return new Difference(
        draws.stream().mapToDouble(Difference::sooner).average().orElseThrow(),
        draws.stream().mapToDouble(Difference::later).average().orElseThrow(),
        draws.stream().mapToDouble(Difference::meanWaitSeconds).average().orElseThrow(),
        bySize,
        byUser);
  }
}
