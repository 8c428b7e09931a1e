package io.ringmaster.simulator;

import io.ringmaster.model.Jobs;
import io.ringmaster.policy.Estimate;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the policy is told of each job's length in ideal seconds. Fixed when a job arrives, from
 * what had ended by then; a job that outlives its estimate is expected to take half as long again
 * as it has run, and a second at least.
 */
final class Estimates {
  /** Told of a length when nothing at all has ended yet. */
  private static final double UNKNOWN_SECONDS = 3600;

  private final Jobs jobs;
  private final Lengths lengths;
  private final Estimate kind;
  private final long seed;
  private final double @Nullable [] seconds;
  private final Map<Integer, Mean> groups = new HashMap<>();
  private final Map<Integer, Mean> users = new HashMap<>();
  private final Mean everybody = new Mean();

  private static final class Mean {
    double sum;
    long count;
  }

  Estimates(Jobs jobs, Lengths lengths, Estimate kind, long seed) {
    this.jobs = jobs;
    this.lengths = lengths;
    this.kind = kind;
    this.seed = seed;
    this.seconds = kind instanceof Estimate.Perfect ? null : new double[jobs.size()];
  }

  boolean perfect() {
    return seconds == null;
  }

  double seconds(int job) {
    return seconds == null ? lengths.idealSeconds(job) : seconds[job];
  }

  void arrive(int job) {
    if (seconds != null) {
      seconds[job] =
          switch (kind) {
            case Estimate.Perfect() -> lengths.idealSeconds(job);
            case Estimate.Noise(double sigma) ->
                lengths.idealSeconds(job) * StrictMath.exp(sigma * gaussian(job));
            case Estimate.GroupMean() -> meanOfFinished(job);
          };
    }
  }

  void end(int job) {
    if (kind instanceof Estimate.GroupMean) {
      double length = lengths.idealSeconds(job);
      add(everybody, length);
      if (jobs.user(job) >= 0) {
        add(users.computeIfAbsent(jobs.user(job), _ -> new Mean()), length);
      }
      if (jobs.group(job) >= 0) {
        add(groups.computeIfAbsent(jobs.group(job), _ -> new Mean()), length);
      }
    }
  }

  /** A job has done as much as was expected of it, and goes on. */
  void outlived(int job, double doneSeconds) {
    if (seconds != null) {
      seconds[job] = doneSeconds + Math.max(doneSeconds / 2, 1);
    }
  }

  private static void add(Mean mean, double length) {
    mean.sum += length;
    mean.count++;
  }

  private double meanOfFinished(int job) {
    Mean mean = groups.get(jobs.group(job));
    if (mean == null) {
      mean = users.get(jobs.user(job));
    }
    if (mean == null) {
      mean = everybody;
    }
    return mean.count == 0 ? UNKNOWN_SECONDS : mean.sum / mean.count;
  }

  /** A standard normal number that depends on the seed and the job's id alone (Box-Muller). */
  private double gaussian(int job) {
    long name = 1125899906842597L;
    for (int i = jobs.idFrom(job); i < jobs.idTo(job); i++) {
      name = 31 * name + jobs.idBytes()[i];
    }
    double u = uniform(mix(seed ^ mix(name)));
    double v = uniform(mix(mix(seed ^ mix(name)) + 1));
    return StrictMath.sqrt(-2 * StrictMath.log(u)) * StrictMath.cos(2 * StrictMath.PI * v);
  }

  /** In (0, 1]. */
  private static double uniform(long bits) {
    return ((bits >>> 11) + 1) * 0x1p-53;
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long z0) {
    long z = z0 + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
