package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How long requests took, by what was asked. */
final class Latencies {
  private final Map<String, List<Double>> secondsByKind = new TreeMap<>();

  synchronized void add(String kind, double seconds) {
    secondsByKind.computeIfAbsent(kind, _ -> new ArrayList<>()).add(seconds);
  }

  /** Adds what others have so far. */
  synchronized void addAll(Latencies others) {
    synchronized (others) {
      others.secondsByKind.forEach((kind, seconds) ->
          secondsByKind.computeIfAbsent(kind, _ -> new ArrayList<>()).addAll(seconds));
    }
  }

  /** What a share of all requests took at most; 0 if there were none. */
  synchronized double quantileSeconds(double share) {
    return quantile(secondsByKind.values().stream().flatMap(List::stream).sorted().toList(), share);
  }

  private static double quantile(List<Double> sorted, double share) {
    int place = (int) Math.ceil(share * sorted.size()) - 1;
    return sorted.isEmpty() ? 0 : sorted.get(Math.max(0, place));
  }

  synchronized String table(String what) {
    Table table = new Table(what, "count", "p50 ms", "p99 ms", "max ms");
    List<Double> all = new ArrayList<>();
    secondsByKind.forEach((kind, seconds) -> {
      row(table, kind, seconds);
      all.addAll(seconds);
    });
    row(table, "all", all);
    return table.text();
  }

  private static void row(Table table, String kind, List<Double> seconds) {
    List<Double> sorted = new ArrayList<>(seconds);
    Collections.sort(sorted);
    table.row(
        kind,
        Integer.toString(sorted.size()),
        millis(quantile(sorted, 0.5)),
        millis(quantile(sorted, 0.99)),
        millis(quantile(sorted, 1)));
  }

  private static String millis(double seconds) {
    return String.format(Locale.ROOT, "%.0f", 1000 * seconds);
  }
}
