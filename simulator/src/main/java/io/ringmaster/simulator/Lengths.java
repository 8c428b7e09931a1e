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
 * one of them a second, whatever it trains.
 */
public final class Lengths {
  private final double[] idealSeconds;
  private final double[] iterationSeconds;
  private final double @Nullable [] foretoldSeconds;

  private Lengths(
      double[] idealSeconds, double[] iterationSeconds, double @Nullable [] foretoldSeconds) {
    this.idealSeconds = idealSeconds;
    this.iterationSeconds = iterationSeconds;
    this.foretoldSeconds = foretoldSeconds;
  }

  public static Lengths of(Jobs jobs, Cluster cluster) {
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
        byModel = byGpus.computeIfAbsent(gpus, _ -> unknown(jobs.profiles().size() + 1));
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
    return new Lengths(ideal, iteration, null);
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
    return new Lengths(idealSeconds, iterationSeconds, seconds.clone());
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
