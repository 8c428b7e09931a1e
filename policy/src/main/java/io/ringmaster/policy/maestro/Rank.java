package io.ringmaster.policy.maestro;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.policy.View;
import java.util.Arrays;

/**
 * Who goes first: the job with the least predicted GPU-work left. Two rules keep wrong predictions
 * from doing much harm.
 *
 * <p><b>Trust.</b> A prediction is believed up to {@code trust} times the GPU-seconds that a job
 * has held; what is said beyond that counts little. So a short job that is told as long gets its
 * turn soon, and a long one that is told as short loses its place once it has outlived what was
 * said: its expected length grows by half of what it has done.
 *
 * <p><b>Patience.</b> A job that has waited for {@code patience} in all becomes an elder. Elders
 * come before everybody else, in order of submission, and are not stopped any more. From then on
 * only those submitted earlier are ahead of a job: as under first come, first served.
 */
final class Rank {
  /** Ahead of all that are not elders; among elders the order of submission. */
  private static final double ELDER = -1e18;

  /** What is said beyond what is believed counts with this power: it still tells jobs apart. */
  private static final double DOUBT = 0.25;

  private final double trust;
  private final double trialSeconds;
  private final double patienceSeconds;

  /** If not, by submission. */
  private final boolean byWork;

  /** Seconds that a job had waited when it last started; then, while it waits, since when. */
  private double[] waited = new double[0];

  private double[] since = new double[0];
  private boolean[] elder = new boolean[0];

  /** Waiting jobs by when they become elders. */
  private final IndexedHeap due = IndexedHeap.ascending();

  Rank(double trust, double trialSeconds, double patienceSeconds, boolean byWork) {
    this.byWork = byWork;
    this.trust = trust;
    this.trialSeconds = trialSeconds;
    this.patienceSeconds = patienceSeconds;
  }

  /** A job begins to wait. */
  void await(View view, int job) {
    if (job >= since.length) {
      waited = Grow.ensure(waited, job + 1);
      since = Grow.ensure(since, job + 1);
      elder = Arrays.copyOf(elder, since.length);
    }
    since[job] = view.nowSeconds();
    if (!elder[job] && patienceSeconds < Double.POSITIVE_INFINITY) {
      due.put(job, view.nowSeconds() + Math.max(0, patienceSeconds - waited[job]));
    }
  }

  /** A job waits no more: it starts, or is gone. */
  void stopWaiting(View view, int job) {
    if (job < since.length) {
      waited[job] += view.nowSeconds() - since[job];
      due.remove(job);
    }
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
    if (!byWork) {
      return job;
    }
    double shown = Math.max(view.attainedGpuSeconds(job), view.gpus(job) * trialSeconds);
    double left = left(view, job);
    double believed = trust * shown;
    return left <= believed ? left : believed * Math.pow(left / believed, DOUBT);
  }

  /** A job's key does not rise above this while it runs as predicted. */
  double farthest(View view, int job) {
    return byWork ? left(view, job) : job;
  }

  /** Predicted GPU-seconds to go. */
  static double left(View view, int job) {
    return view.gpus(job) * Math.max(0, view.estimateSeconds(job) - view.doneSeconds(job));
  }
}
