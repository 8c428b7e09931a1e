package io.ringmaster.policy.maestro;

import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.View;
import java.util.Arrays;

/** Who may be stopped for another, who is stopped first, and when that pays. */
final class Stops {
  private final Rules.Stopping rules;
  private final Rank rank;

  /** By how often a job was stopped: what it has left is divided by this. */
  private final double[] aversion;

  /** By GPUs: their power. */
  private double[] sizes = {};

  Stops(Rules.Stopping rules, Rank rank) {
    this.rules = rules;
    this.rank = rank;
    this.aversion = new double[rules.most()];
    double each = 1;
    for (int i = 0; i < aversion.length; i++, each *= rules.aversion()) {
      aversion[i] = each;
    }
  }

  boolean any() {
    return rules.most() > 0;
  }

  /**
   * Where a running job stands for those who would stop it: they must be ahead of that. It is ahead
   * of its rank by two restarts, since it loses one and the other's start may be for nothing, by
   * the work that it would have to do again, and by a fifth for each time that it was stopped: so
   * the ten stops are not all spent in an hour on the same job. Negative infinity if it may not be
   * stopped.
   *
   * @param key its own in the order
   */
  double place(View view, int job, double key) {
    if (!may(view, job)) {
      return Double.NEGATIVE_INFINITY;
    }
    double restarts = rules.restartsAhead() * view.cluster().restartSeconds();
    return key / aversion[view.stops(job)] - (restarts + againSeconds(view, job)) * view.gpus(job);
  }

  /** Whether a running job may be stopped at all, for whomever. */
  boolean may(View view, int job) {
    return view.stops(job) < rules.most() && !rank.isElder(job) && view.resumable(job);
  }

  /** Whether a running job may go on elsewhere: it is not worth it for what is nearly done. */
  boolean mayMove(View view, int job) {
    double lost = view.cluster().restartSeconds() + againSeconds(view, job);
    return may(view, job) && view.likelyLeftSeconds(job) > rules.restartsAhead() * lost;
  }

  /** What a job has done since its last checkpoint. */
  private static double againSeconds(View view, int job) {
    return view.doneSeconds(job) - view.keptSeconds(job);
  }

  /**
   * The greatest is stopped first: small jobs with long to go and little to do again. The hindmost
   * by work would be the largest ones, which would be stopped again and again, and wait for long
   * until as many GPUs are free.
   */
  double fitness(View view, int job, double key) {
    int gpus = view.gpus(job);
    if (gpus >= sizes.length) {
      sizes = new double[2 * gpus + 1];
      Arrays.setAll(sizes, size -> Math.pow(size, rules.sizePower()));
    }
    return (key - againSeconds(view, job) * gpus) / sizes[gpus] / aversion[view.stops(job)];
  }

  /**
   * Whether it pays that some are stopped for a job, in seconds: their restarts and what they do
   * again, and more if they were stopped before, against what it would wait or lose. What is
   * expected of the wait is far too little in a long queue, since it forgets who else waits: who
   * has waited for long will wait for longer.
   *
   * @param loss what it loses if it starts scattered instead; infinite: it cannot
   */
  boolean pays(View view, IntList victims, double expected, double waited, double loss) {
    int earlierStops = 0;
    double againSeconds = 0;
    for (int i = 0; i < victims.size(); i++) {
      earlierStops += view.stops(victims.get(i));
      againSeconds += againSeconds(view, victims.get(i));
    }
    double price =
        view.cluster().restartSeconds() * victims.size()
            + rules.secondsAStop() * earlierStops
            + againSeconds;
    return price <= Math.min(waitSeconds(expected, waited), loss);
  }

  /** What a job would wait that was expected to wait so long, and has waited so long already. */
  double waitSeconds(double expected, double waited) {
    return Math.max(expected, rules.ofWaited() * waited);
  }
}
