package io.ringmaster.whatif;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.collect.Sorted;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether jobs waited in truth for want of GPUs: how many were free at each moment, by what the
 * history tells of starts and ends. What it leaves out held GPUs too, so fewer may have been free.
 */
final class FreeWhileWaiting {
  private final double[] times;

  /** GPUs that are free from each time on to the next. */
  private final int[] free;

  /** By GPUs asked for: for how long up to each time as many were free. */
  private final Map<Integer, double[]> freeSeconds = new HashMap<>();

  private FreeWhileWaiting(Jobs jobs, int totalGpus) {
    int n = jobs.size();
    double[] moments = new double[2 * n];
    Arrays.setAll(moments, i -> i < n ? jobs.startedSeconds(i) : jobs.endedSeconds(i - n));
    int[] order = Sorted.by(Comparator.comparingDouble(i -> moments[i]), 2 * n);
    times = new double[2 * n];
    free = new int[2 * n];
    int left = totalGpus;
    for (int i = 0; i < order.length; i++) {
      int event = order[i];
      times[i] = moments[event];
      left += event < n ? -jobs.gpus(event) : jobs.gpus(event - n);
      free[i] = left;
    }
  }

  /**
   * The share of all waiting in which as many GPUs were free as the job asked for; NaN if nobody
   * waited, or not all starts and ends are known.
   */
  static double share(History history) {
    Jobs jobs = history.jobs();
    for (int job = 0; job < jobs.size(); job++) {
      if (!Double.isFinite(jobs.startedSeconds(job) + jobs.endedSeconds(job))) {
        return Double.NaN;
      }
    }
    FreeWhileWaiting all = new FreeWhileWaiting(jobs, history.cluster().totalGpus());
    double waited = 0;
    double fitting = 0;
    for (int job = 0; job < jobs.size(); job++) {
      double from = jobs.submitSeconds(job);
      double to = jobs.startedSeconds(job);
      if (to > from) {
        waited += to - from;
        fitting += all.freeUntil(to, jobs.gpus(job)) - all.freeUntil(from, jobs.gpus(job));
      }
    }
    return waited > 0 ? fitting / waited : Double.NaN;
  }

  /** For how long as many were free up to a time, from the first start on. */
  private double freeUntil(double time, int gpus) {
    double[] sums = freeSeconds.computeIfAbsent(gpus, this::sums);
    int at = Arrays.binarySearch(times, time);
    int before = at >= 0 ? at : -at - 2;
    if (before < 0) {
      // Before the first start all are free.
      return time - times[0];
    }
    return sums[before] + (free[before] >= gpus ? time - times[before] : 0);
  }

  private double[] sums(int gpus) {
    double[] sums = new double[times.length];
    for (int i = 1; i < sums.length; i++) {
      sums[i] = sums[i - 1] + (free[i - 1] >= gpus ? times[i] - times[i - 1] : 0);
    }
    return sums;
  }
}
