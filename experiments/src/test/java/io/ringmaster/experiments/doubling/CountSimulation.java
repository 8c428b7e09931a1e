package io.ringmaster.experiments.doubling;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The doubling heuristic once more, in the plainest way: GPUs are a number, all jobs are looked at
 * for every doubling, and work is counted in epochs. Decides whenever a job comes or goes, and
 * makes every change that the rule says.
 */
final class CountSimulation {
  private final double[] arrivalSeconds;
  private final double[] epochs;
  private final double restartSeconds;

  /** Those that have come and are not done, in order of arrival. */
  private final List<Job> jobs = new ArrayList<>();

  private double now;

  private static final class Job {
    final double arrivalSeconds;
    double epochsLeft;
    int workers;
    int next;
    double stillUntil;

    Job(double arrivalSeconds, double epochs) {
      this.arrivalSeconds = arrivalSeconds;
      this.epochsLeft = epochs;
    }

    double endSeconds(double now) {
      return workers == 0
          ? Double.POSITIVE_INFINITY
          : Math.max(now, stillUntil) + epochsLeft * EpochTimes.measuredSeconds(workers);
    }

    void run(double from, double to) {
      if (workers > 0) {
        double seconds = Math.max(0, to - Math.max(from, stillUntil));
        epochsLeft -= seconds / EpochTimes.measuredSeconds(workers);
      }
    }

    double gain() {
      double saved = EpochTimes.measuredSeconds(next) - EpochTimes.measuredSeconds(2 * next);
      return epochsLeft * saved / next;
    }
  }

  CountSimulation(double[] arrivalSeconds, double[] epochs, double restartSeconds) {
    this.arrivalSeconds = arrivalSeconds;
    this.epochs = epochs;
    this.restartSeconds = restartSeconds;
  }

  /** Mean time from arrival to completion. */
  double completionHours() {
    double sum = 0;
    int arrived = 0;
    while (arrived < epochs.length || !jobs.isEmpty()) {
      double next = arrived < epochs.length ? arrivalSeconds[arrived] : Double.POSITIVE_INFINITY;
      Job ending = null;
      for (Job job : jobs) {
        if (job.endSeconds(now) < next) {
          next = job.endSeconds(now);
          ending = job;
        }
      }
      for (Job job : jobs) {
        job.run(now, next);
      }
      now = next;
      if (ending == null) {
        jobs.add(new Job(now, epochs[arrived++]));
      } else {
        sum += now - ending.arrivalSeconds;
        jobs.remove(ending);
      }
      giveOut();
    }
    return sum / epochs.length / 3600;
  }

  private void giveOut() {
    int left = DoublingSetting.GPUS;
    for (Job job : jobs) {
      job.next = left > 0 ? 1 : 0;
      left -= job.next;
    }
    for (Job job = best(left); job != null; job = best(left)) {
      left -= job.next;
      job.next *= 2;
    }
    for (Job job : jobs) {
      if (job.workers != job.next) {
        job.stillUntil = job.workers == 0 ? now : now + restartSeconds;
        job.workers = job.next;
      }
    }
  }

  /** The job that saves the most for each worker added; null if none can be doubled. */
  private @Nullable Job best(int left) {
    Job best = null;
    for (Job job : jobs) {
      boolean mayDouble =
          job.next > 0 && job.next <= left && 2 * job.next <= DoublingWorkload.MOST_WORKERS;
      if (mayDouble && (best == null || job.gain() > best.gain())) {
        best = job;
      }
    }
    return best;
  }
}
