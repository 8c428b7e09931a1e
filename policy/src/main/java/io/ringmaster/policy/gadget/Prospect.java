package io.ringmaster.policy.gadget;

import io.ringmaster.model.Demand;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.View;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A job at a moment, and what it would gain from there to the end of the slot. */
final class Prospect {
  /** Of what a job gains, energy may cost at most this share with some number of workers. */
  private static final double MOST_COST = 0.99;

  /**
   * What finishing at once rather than at the end of the slot adds to a gain: so little that it
   * only decides who gets what nobody else has a use for.
   */
  private static final double SOONER = 1e-3;

  private final Objective objective;
  private final GreatestSpeeds speeds;
  private final int job;
  private final double seconds;
  private final double work;
  private final double estimate;
  private final double done;
  private final double share;
  private final double lostToRestart;
  private final double idealSpeed;
  private final Demand demand;
  private final @Nullable ModelProfile profile;
  private final @Nullable Placement current;
  private final int minWorkers;
  private final int maxWorkers;
  private final GreatestSpeeds.Table table;
  private final double priceScale;

  Prospect(
      Objective objective,
      GreatestSpeeds speeds,
      double weigh,
      View view,
      int job,
      double seconds) {
    this.objective = objective;
    this.speeds = speeds;
    this.job = job;
    this.seconds = seconds;
    this.work = speeds.workGpuSeconds(view, job);
    this.estimate = view.estimateSeconds(job);
    this.done = view.doneSeconds(job);
    this.share = share(view, job);
    this.demand = view.demand(job);
    this.profile = view.profile(job);
    this.current = view.running(job) ? view.placement(job) : null;
    boolean ranBefore = view.attainedGpuSeconds(job) > 0;
    this.lostToRestart = ranBefore ? weigh * view.cluster().restartSeconds() : 0;
    this.table = speeds.table(view, job);
    this.idealSpeed = table.ideal(view.gpus(job));
    this.minWorkers = view.minGpus(job);
    this.maxWorkers = Math.min(view.maxGpus(job), table.mostWorkers());
    this.priceScale = objective.isMonotone() ? 0 : Math.min(1, MOST_COST * bestGainOverCost());
  }

  /** The share of its work that a job has done. */
  static double share(View view, int job) {
    return Math.min(1, view.doneSeconds(job) / view.estimateSeconds(job));
  }

  SlotJob slotJob() {
    int options = Math.max(0, maxWorkers - minWorkers + 1);
    double[] onOne = new double[options];
    double[] across = new double[options];
    for (int i = 0; i < options; i++) {
      onOne[i] = most(minWorkers + i, table.onOneServer(minWorkers + i));
      across[i] = most(minWorkers + i, table.acrossServers(minWorkers + i));
    }
    return new SlotJob(job, demand, minWorkers, onOne, across, current, this::profit);
  }

  private double most(int workers, double speed) {
    if (speed == 0) {
      return Double.NEGATIVE_INFINITY;
    }
    return gain(speed, seconds) - cost(speed, workers * speeds.leastWatts(), seconds);
  }

  private double profit(Placement placement) {
    double useful = Math.max(0, seconds - (Objects.equals(placement, current) ? 0 : lostToRestart));
    double speed = speeds.planned(profile, placement);
    return gain(speed, useful) - cost(speed, speeds.watts(placement), useful);
  }

  private double gain(double speed, double useful) {
    double needed = (estimate - done) * idealSpeed / speed;
    if (needed >= useful) {
      double then = (done + speed / idealSpeed * useful) / estimate;
      return objective.gain(work, share, Math.min(1, then));
    }
    return objective.gain(work, share, 1) * (1 + SOONER * (useful - needed) / seconds);
  }

  private double cost(double speed, double watts, double useful) {
    return priceScale == 0 ? 0 : priceScale * fullCost(speed, watts, useful);
  }

  /** Of the time that the job takes, not of the whole slot. */
  private double fullCost(double speed, double watts, double useful) {
    double runs = Math.min(useful, (estimate - done) * idealSpeed / speed);
    return objective.cost(work, watts, runs);
  }

  private double bestGainOverCost() {
    double best = 0;
    for (int workers = minWorkers; workers <= maxWorkers; workers++) {
      double speed = Math.max(table.onOneServer(workers), table.acrossServers(workers));
      double cost = fullCost(speed, workers * speeds.leastWatts(), seconds);
      best = Math.max(best, gain(speed, seconds) / cost);
    }
    return best;
  }
}
