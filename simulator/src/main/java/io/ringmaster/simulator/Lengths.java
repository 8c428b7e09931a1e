package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.policy.execution.IdealRuns;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How long each job takes alone, with the workers it asks for, on the fewest servers of the empty
 * cluster. The simulator counts work in these ideal seconds: a job alone in its ideal place does
 * one of them a second, whatever it trains. The time in which it saves what it did is part of it.
 */
public final class Lengths {
  private final double[] idealSeconds;
  private final double[] iterationSeconds;
  private final double @Nullable [] foretoldSeconds;

  /** Null if no job names a kind of GPU. */
  private final @Nullable JobKinds kinds;

  private Lengths(
      double[] idealSeconds,
      double[] iterationSeconds,
      double @Nullable [] foretoldSeconds,
      @Nullable JobKinds kinds) {
    this.idealSeconds = idealSeconds;
    this.iterationSeconds = iterationSeconds;
    this.foretoldSeconds = foretoldSeconds;
    this.kinds = kinds;
  }

  public static Lengths of(Jobs jobs, Cluster cluster) {
    return jobs.namesKinds() ? onKinds(jobs, cluster) : onAny(jobs, cluster);
  }

  /** Ideal is the fastest kind of GPU; a duration is that at a speed of 1. */
  private static Lengths onKinds(Jobs jobs, Cluster cluster) {
    JobKinds kinds = new JobKinds(jobs, cluster);
    double[] ideal = new double[jobs.size()];
    double[] iteration = new double[jobs.size()];
    for (int job = 0; job < ideal.length; job++) {
      JobKinds.On best = kinds.best(job);
      iteration[job] = best.iterationSeconds();
      double iterations =
          jobs.workIsDuration(job) ? jobs.work(job) / best.plainSeconds() : jobs.work(job);
      ideal[job] = iterations * iteration[job] / (1 - jobs.savingShare(job));
    }
    return new Lengths(ideal, iteration, null, kinds);
  }

  private static Lengths onAny(Jobs jobs, Cluster cluster) {
    IterationTime time = IterationTime.of(cluster);
    double[] ideal = new double[jobs.size()];
    double[] iteration = new double[jobs.size()];
    Map<Integer, double[]> byGpus = new HashMap<>();
    Map<Limited, Double> byDemand = new HashMap<>();
    int gpus = 0;
    double[] byModel = {};
    for (int job = 0; job < ideal.length; job++) {
      if (jobs.gpus(job) != gpus) {
        gpus = jobs.gpus(job);
        // Not computeIfAbsent: for each job, making its lambda costs more than looking.
        double[] known = byGpus.get(gpus);
        byModel = known == null ? unknown(jobs.profiles().size() + 1) : known;
        if (known == null) {
          byGpus.put(gpus, byModel);
        }
      }
      int slot = jobs.model(job) + 1;
      ModelProfile profile = jobs.profile(job);
      Demand demand = cluster.demand(jobs.demand(job), profile);
      if (!demand.isNone()) {
        Limited limited = new Limited(gpus, jobs.model(job), demand);
        iteration[job] =
            byDemand.computeIfAbsent(
                limited,
                l -> IdealRuns.iterationSeconds(cluster, time, profile, l.gpus(), l.demand()));
      } else {
        if (Double.isNaN(byModel[slot])) {
          byModel[slot] = IdealRuns.iterationSeconds(cluster, time, profile, gpus, demand);
        }
        iteration[job] = byModel[slot];
      }
      ideal[job] = jobs.workIsDuration(job) ? jobs.work(job) : jobs.work(job) * iteration[job];
    }
    for (int job = 0; jobs.anySaveTimes() && job < ideal.length; job++) {
      ideal[job] /= 1 - jobs.savingShare(job);
    }
    return new Lengths(ideal, iteration, null, null);
  }

  /** A job that takes more than GPUs. */
  private record Limited(int gpus, int model, Demand demand) {}

  private static double[] unknown(int length) {
    double[] values = new double[length];
    Arrays.fill(values, Double.NaN);
    return values;
  }

  /**
   * The same, with what is foretold of each job when it comes: a run whose policy predicts lengths
   * then grows no forest of its own.
   *
   * @param seconds in ideal seconds, by job; see {@link Foretold}
   */
  public Lengths foretelling(double[] seconds) {
    return new Lengths(idealSeconds, iterationSeconds, seconds.clone(), kinds);
  }

  /** What jobs are on kinds of GPU; null if none names any. */
  @Nullable JobKinds kinds() {
    return kinds;
  }

  boolean isForetold() {
    return foretoldSeconds != null;
  }

  double foretoldSeconds(int job) {
    return Objects.requireNonNull(foretoldSeconds)[job];
  }

  public double idealSeconds(int job) {
    return idealSeconds[job];
  }

  /** tau of the ideal placement. */
  public double iterationSeconds(int job) {
    return iterationSeconds[job];
  }
}
