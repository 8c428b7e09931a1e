package io.ringmaster.policy.maestro;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.policy.View;
import io.ringmaster.policy.maestro.Rules.Rule;
import java.util.Arrays;

/**
 * Who goes first: the job with the least GPU-work likely left. What is likely follows from how
 * wrong lengths were told so far, so a job that outlived what was told of it falls back by what
 * others did that went on for as long.
 *
 * <p><b>Patience.</b> A job that has waited for {@code patience} in all becomes an elder. Elders
 * come before everybody else, in order of submission, and are not stopped any more. From then on
 * only those submitted earlier are ahead of a job: as under first come, first served.
 */
final class Rank {
  /** Ahead of all that are not elders; among elders the order of submission. */
  private static final double ELDER = -1e18;

  private final double patienceSeconds;
  private final boolean orders;
  private final boolean learns;

  /** Seconds that a job had waited when it last started; then, while it waits, since when. */
  private double[] waited = new double[0];

  private double[] since = new double[0];
  private boolean[] elder = new boolean[0];

  /** Waiting jobs by when they become elders. */
  private final IndexedHeap due = IndexedHeap.ascending();

  Rank(Rules rules) {
    this.patienceSeconds = rules.patienceSeconds();
    this.orders = rules.has(Rule.ORDER);
    this.learns = rules.has(Rule.LEARNING);
  }

  /**
   * A job comes: what it has waited before is what it has not run. A policy that takes over knows
   * so much of a job that was there.
   */
  void arrive(View view, int job) {
    if (job >= since.length) {
      waited = Grow.ensure(waited, job + 1);
      since = Grow.ensure(since, job + 1);
      elder = Arrays.copyOf(elder, since.length);
    }
    double there = view.nowSeconds() - view.submitSeconds(job);
    waited[job] = Math.max(0, there - view.attainedGpuSeconds(job) / view.gpus(job));
    if (view.waiting(job)) {
      await(view, job);
    }
  }

  /** A job begins to wait. */
  void await(View view, int job) {
    since[job] = view.nowSeconds();
    if (!elder[job] && patienceSeconds < Double.POSITIVE_INFINITY) {
      due.put(job, view.nowSeconds() + Math.max(0, patienceSeconds - waited[job]));
    }
  }

  /** A waiting job waits no more: it starts, or is gone. */
  void stopWaiting(View view, int job) {
    waited[job] = waitedSeconds(view, job);
    due.remove(job);
  }

  /** How long a job that waits has waited in all. */
  double waitedSeconds(View view, int job) {
    return waited[job] + view.nowSeconds() - since[job];
  }

  /**
   * The next waiting job whose patience is at its end, from now on an elder; -1 if there is none.
   */
  int nextElder(View view) {
    if (due.isEmpty() || due.peekKey() > view.nowSeconds()) {
      return -1;
    }
    int job = due.poll();
    elder[job] = true;
    return job;
  }

  /** When the next waiting job becomes an elder; never if none does. */
  double nextElderSeconds() {
    return due.isEmpty() ? Double.POSITIVE_INFINITY : due.peekKey();
  }

  boolean isElder(int job) {
    return job < elder.length && elder[job];
  }

  /** The smaller, the earlier. */
  double key(View view, int job) {
    if (isElder(job)) {
      return ELDER + job;
    }
    return orders ? left(view, job) : job;
  }

  /** GPU-seconds that are likely left. */
  double left(View view, int job) {
    double seconds =
        learns
            ? view.likelyLeftSeconds(job)
            : Math.max(0, view.estimateSeconds(job) - view.doneSeconds(job));
    return view.gpus(job) * seconds;
  }
}
