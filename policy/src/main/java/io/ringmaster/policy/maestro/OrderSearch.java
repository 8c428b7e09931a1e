package io.ringmaster.policy.maestro;

import io.ringmaster.model.collect.Sorted;
import io.ringmaster.policy.batch.Batch;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A good order for a batch, by simulated annealing: a job is put elsewhere, two change places, or
 * one may or may not be scattered; each trial is scored by the model. The effort is a number of
 * trials, not a time, so that a run can be repeated.
 */
final class OrderSearch {
  /** Temperatures at the beginning and at the end, in parts of a score. */
  private static final double HOT = 0.01;

  private static final double COLD = 0.0002;

  /** What the mean counts for where only the makespan is asked for: it decides ties. */
  private static final double TIE = 1e-3;

  private static final double ONLY_MAKESPAN = 0.9;

  private final Batch batch;
  private final Trial trial;
  private final double mix;
  private final double makespanScale;
  private final double sumScale;
  private final RandomGenerator random;

  /** An order, who may be scattered, and what that comes to. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Plan(int[] order, boolean[] mayScatter, double score) {}

  OrderSearch(Batch batch, Trial trial, double mix, RandomGenerator random) {
    this.batch = batch;
    this.trial = trial;
    this.mix = Math.min(mix, 1 - TIE);
    this.random = random;
    double longest = 0;
    double gpuSeconds = 0;
    double sum = 0;
    for (int i = 0; i < batch.size(); i++) {
      longest = Math.max(longest, batch.work(i));
      gpuSeconds += batch.work(i) * batch.workers(i);
      sum += batch.work(i);
    }
    this.makespanScale = Math.max(longest, gpuSeconds / batch.cluster().totalGpus());
    this.sumScale = Math.max(sum, 1e-9);
  }

  /**
   * Searches.
   *
   * @param first an order to begin with beside the usual ones; empty: none
   */
  Plan run(int[] first, boolean[] firstScatter, int trials) {
    Plan best = null;
    if (trials == 0 && mix > ONLY_MAKESPAN) {
      int[] longestFirst = sorted(longest());
      return new Plan(longestFirst, new boolean[batch.size()], Double.NaN);
    }
    for (Comparator<Integer> by : starts()) {
      int[] order = sorted(by);
      for (boolean scatter : new boolean[] {false, true}) {
        boolean[] may = new boolean[batch.size()];
        Arrays.fill(may, scatter);
        best = better(best, order, may);
      }
    }
    if (first.length == batch.waiting()) {
      best = better(best, first, firstScatter);
    }
    return anneal(Objects.requireNonNull(best), trials);
  }

  private int[] sorted(Comparator<Integer> by) {
    return Sorted.by(by, batch.waiting());
  }

  private Comparator<Integer> longest() {
    return Comparator.comparingDouble(i -> -batch.work(i));
  }

  private List<Comparator<Integer>> starts() {
    Comparator<Integer> longest = longest();
    Comparator<Integer> largest =
        Comparator.comparingDouble(i -> -batch.work(i) * batch.workers(i));
    Comparator<Integer> smallest =
        Comparator.comparingDouble(i -> batch.work(i) * batch.workers(i));
    Comparator<Integer> widest =
        Comparator.<Integer>comparingInt(i -> -batch.workers(i)).thenComparing(longest);
    return mix > ONLY_MAKESPAN
        ? List.of(longest, largest, widest)
        : List.of(longest, largest, smallest);
  }

  private Plan better(@Nullable Plan best, int[] order, boolean[] may) {
    double score = score(order, may, Double.POSITIVE_INFINITY);
    return best == null || score < best.score ? new Plan(order, may, score) : best;
  }

  /** Lower is better; infinite if it is above a limit. */
  private double score(int[] order, boolean[] may, double limit) {
    double until = limit == Double.POSITIVE_INFINITY ? limit : limit / mix * makespanScale;
    Trial.Outcome outcome =
        trial.run(order, may, mix > 0.5 ? until : Double.POSITIVE_INFINITY, null);
    return mix * outcome.makespanSeconds() / makespanScale
        + (1 - mix) * outcome.sumSeconds() / sumScale;
  }

  private Plan anneal(Plan start, int trials) {
    int n = batch.waiting();
    if (n < 2 || trials == 0) {
      return start;
    }
    int[] order = start.order.clone();
    boolean[] may = start.mayScatter.clone();
    double now = start.score;
    Plan best = start;
    double cooling = Math.pow(COLD / HOT, 1.0 / trials);
    double temperature = HOT;
    for (int t = 0; t < trials; t++, temperature *= cooling) {
      int[] next = order.clone();
      boolean[] nextMay = may;
      int kind = random.nextInt(10);
      int a = random.nextInt(n);
      int b = random.nextInt(n);
      if (kind < 5) {
        insert(next, a, b);
      } else if (kind < 8) {
        int swapped = next[a];
        next[a] = next[b];
        next[b] = swapped;
      } else {
        nextMay = may.clone();
        nextMay[next[a]] = !nextMay[next[a]];
      }
      double allowed = now - temperature * now * Math.log(1 - random.nextDouble());
      double score = score(next, nextMay, allowed);
      if (score <= allowed) {
        order = next;
        may = nextMay;
        now = score;
        if (score < best.score) {
          best = new Plan(next, nextMay, score);
        }
      }
    }
    return best;
  }

  private static void insert(int[] order, int from, int to) {
    int moved = order[from];
    if (from < to) {
      System.arraycopy(order, from + 1, order, from, to - from);
    } else {
      System.arraycopy(order, to, order, to + 1, from - to);
    }
    order[to] = moved;
  }
}
