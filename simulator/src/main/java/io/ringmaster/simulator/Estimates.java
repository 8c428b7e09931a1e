package io.ringmaster.simulator;

import io.ringmaster.model.Jobs;
import io.ringmaster.policy.Estimate;
import io.ringmaster.predictor.told.LengthErrors;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the policy is told of each job's length in ideal seconds. Fixed when a job arrives, from
 * what had ended by then; a job that outlives its estimate is expected to take half as long again
 * as it has run, and a second at least. Only what losses say changes while a job runs.
 */
final class Estimates {
  /** Told of a length when nothing at all has ended yet. */
  static final double UNKNOWN_SECONDS = 3600;

  private final Jobs jobs;
  private final Lengths lengths;
  private final Estimate kind;
  private final JobChance chance;
  private final double middleSeconds;
  private final double @Nullable [] seconds;

  /**
   * What was told when each job came; null if that is the truth, or changes by what jobs report.
   */
  private final double @Nullable [] told;

  private final @Nullable LengthErrors errors;
  private final @Nullable LossEstimates losses;
  private final @Nullable PredictedLengths predicted;
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
    this.chance = new JobChance(jobs, seed);
    this.middleSeconds = middleSeconds();
    this.seconds = kind instanceof Estimate.Perfect ? null : new double[jobs.size()];
    boolean wrong = !(kind instanceof Estimate.Perfect || kind instanceof Estimate.Loss);
    this.told = wrong ? new double[jobs.size()] : null;
    this.errors = wrong ? new LengthErrors() : null;
    this.losses =
        kind instanceof Estimate.Loss(double sigma)
            ? new LossEstimates(lengths, chance, sigma, jobs.size())
            : null;
    this.predicted =
        (kind instanceof Estimate.Predicted || kind instanceof Estimate.Learned)
                && !lengths.isForetold()
            // Grown by the calling thread: runs side by side have one each.
            ? new PredictedLengths(jobs, lengths, UNKNOWN_SECONDS, seed, Runnable::run)
            : null;
  }

  boolean perfect() {
    return seconds == null;
  }

  double seconds(int job) {
    return seconds == null ? lengths.idealSeconds(job) : seconds[job];
  }

  /** How much of a job is done when {@link #outlived} is next to be asked. */
  double nextLookSeconds(int job) {
    return losses == null ? seconds(job) : Math.min(seconds(job), losses.nextLookSeconds(job));
  }

  void arrive(int job, double nowSeconds) {
    if (seconds != null) {
      seconds[job] =
          switch (kind) {
            case Estimate.Perfect() -> lengths.idealSeconds(job);
            case Estimate.Noise(double sigma) ->
                lengths.idealSeconds(job) * StrictMath.exp(sigma * chance.gaussian(job, 0));
            case Estimate.GroupMean() -> meanOfFinished(job);
            case Estimate.Predicted(), Estimate.Learned() ->
                predicted == null
                    ? lengths.foretoldSeconds(job)
                    : predicted.arrive(job, nowSeconds);
            case Estimate.Loss _ -> Objects.requireNonNull(losses).arrive(job);
            case Estimate.Reversed() -> middleSeconds / lengths.idealSeconds(job) * middleSeconds;
            case Estimate.Equal() -> middleSeconds;
          };
      if (told != null) {
        told[job] = seconds[job];
      }
    }
  }

  /** What a job was told as when it came; only where that is {@link #errors() wrong}. */
  double toldSeconds(int job) {
    return Objects.requireNonNull(told)[job];
  }

  /** How wrong lengths were told so far; null if they are not, or jobs report of themselves. */
  @Nullable LengthErrors errors() {
    return errors;
  }

  /** Whether what is told is corrected by how wrong it was so far. */
  boolean learns() {
    return kind instanceof Estimate.Learned;
  }

  /** So much is likely left of a job. */
  void correct(int job, double doneSeconds, double leftSeconds) {
    Objects.requireNonNull(seconds)[job] = doneSeconds + Math.max(1, leftSeconds);
  }

  void end(int job, double nowSeconds) {
    if (errors != null) {
      errors.ended(toldSeconds(job), lengths.idealSeconds(job));
    }
    if (losses != null) {
      losses.end(job);
    }
    if (predicted != null) {
      predicted.end(job, nowSeconds);
    }
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

  /** A job has done as much as was expected of it, or has reported losses, and goes on. */
  void outlived(int job, double doneSeconds) {
    if (losses != null && seconds != null) {
      seconds[job] = losses.look(job, doneSeconds);
    } else if (seconds != null) {
      seconds[job] = doneSeconds + Estimate.leftOfOutlivedSeconds(doneSeconds);
    }
  }

  /** What estimates that are wrong on purpose turn about; NaN of others. */
  private double middleSeconds() {
    return switch (kind) {
      case Estimate.Reversed() -> StrictMath.exp(sorted().map(StrictMath::log).sum() / jobs.size());
      case Estimate.Equal() -> {
        double[] all = sorted().toArray();
        yield (all[(all.length - 1) / 2] + all[all.length / 2]) / 2;
      }
      default -> Double.NaN;
    };
  }

  private DoubleStream sorted() {
    return IntStream.range(0, jobs.size()).mapToDouble(lengths::idealSeconds).sorted();
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
}
