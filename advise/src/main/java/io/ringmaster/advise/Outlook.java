package io.ringmaster.advise;

import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;

/** Many futures of a queue, and when jobs start in them. */
final class Outlook {
  private final Queue queue;
  private final KindLengths lengths;
  private final List<Future> futures;

  /** Draws them. */
  Outlook(Queue queue, int draws, long seed, int threads) {
    this.queue = queue;
    this.lengths = new KindLengths(queue);
    Newcomers newcomers = new Newcomers(queue);
    this.futures =
        Parallel.map(
            draws,
            threads,
            _ -> {},
            draw -> Future.drawn(queue, lengths, newcomers, seed * 1_000_003 + draw));
  }

  /** As things are, under a policy that guesses lengths from the past. */
  Variant under(String policy) {
    PolicySpec spec = Policies.named(policy);
    boolean guesses =
        !policy.equals(InOrder.POLICY) && spec.parameters().contains(Estimate.PARAMETER);
    double error = Math.min(3, KindLengths.guessingError(queue.ended()));
    return Variant.of(
        queue.cluster(),
        policy,
        guesses
            ? Map.of(Estimate.PARAMETER.name(), String.format(Locale.ROOT, "noise:%.2f", error))
            : Map.of());
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

  /** When one waiting job starts over rows. */
  static Spread ofJob(List<double[]> rows, int job) {
    return Spread.of(rows.stream().mapToDouble(row -> row[job]).toArray());
  }
}
