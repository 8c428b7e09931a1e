package io.ringmaster.advise;

import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Many futures of a queue, and when jobs start in them. */
final class Outlook {
  private final Queue queue;
  private final KindLengths lengths;
  private final Newcomers newcomers;
  private final List<Future> futures;

  /** Draws them. */
  Outlook(Queue queue, int draws, long seed, int threads) {
    this.queue = queue;
    this.lengths = new KindLengths(queue);
    this.newcomers = new Newcomers(queue);
    this.futures =
        Parallel.map(
            draws,
            threads,
            _ -> {},
            draw -> Future.drawn(queue, lengths, newcomers, seed * 1_000_003 + draw));
  }

  /** As things are, under a policy that is told what the site's scheduler expects. */
  Variant under(String policy) {
    PolicySpec spec = Policies.named(policy);
    boolean asks = spec.lengths(spec.settings(Map.of())) != KnownLengths.NONE;
    return Variant.of(
        queue.cluster(),
        policy,
        asks ? Map.of(Estimate.PARAMETER.name(), Estimate.PREDICTED) : Map.of());
  }

  /** How far ahead the past tells of jobs to come. */
  double reachSeconds() {
    return newcomers.reachSeconds();
  }

  List<Future> futures() {
    return futures;
  }

  /** When each waiting job starts: a row for each of the first futures. */
  List<double[]> starts(Variant variant, int count, int threads, LongConsumer done) {
    return new ArrayList<>(
        Parallel.map(
            Math.min(count, futures.size()),
            threads,
            done,
            draw -> futures.get(draw).starts(variant)));
  }

  /** The share of rows in which a waiting job starts only when nobody comes any more. */
  double openShare(Variant variant, List<double[]> rows, int job) {
    int beyond = 0;
    for (int draw = 0; draw < rows.size(); draw++) {
      beyond += futures.get(draw).isBeyond(rows.get(draw)[job], variant) ? 1 : 0;
    }
    return beyond / (double) rows.size();
  }

  /** When one waiting job starts over rows. */
  static Spread ofJob(List<double[]> rows, int job) {
    return Spread.of(rows.stream().mapToDouble(row -> row[job]).toArray());
  }
}
