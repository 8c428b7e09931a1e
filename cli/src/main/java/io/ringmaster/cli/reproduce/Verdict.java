package io.ringmaster.cli.reproduce;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a reproduction comes to, in a sentence or two. */
final class Verdict {
  private static final double CLOSE = 0.05;
  private static final double NEAR = 0.20;
  private static final int MOST_NAMED = 3;

  /** Of all others less is better. */
  private static final Set<String> MORE_IS_BETTER =
      Set.of("utility", "finished_share", "best_share");

  private final Experiment.Results results;

  Verdict(Experiment.Results results) {
    this.results = results;
  }

  String text() {
    List<String> sentences = new ArrayList<>();
    paper(sentences);
    checks(sentences);
    if (sentences.isEmpty()) {
      best(sentences);
    }
    return String.join(" ", sentences);
  }

  private void paper(List<String> sentences) {
    List<Row> told =
        results.rows().stream().filter(row -> row.paper() != null && row.paper() != 0).toList();
    if (told.isEmpty()) {
      return;
    }
    Row farthest =
        told.stream().max(Comparator.comparingDouble(r -> Math.abs(off(r)))).orElseThrow();
    sentences.add(
        String.format(
            Locale.ROOT,
            "Of %d figure%s that the paper gives, ours are within %.0f %% of %d and within %.0f %%"
                + " of %d; the farthest is %s of %s (%s): %s beside %s.",
            told.size(),
            told.size() == 1 ? "" : "s",
            100 * CLOSE,
            within(told, CLOSE),
            100 * NEAR,
            within(told, NEAR),
            farthest.metric(),
            farthest.policy(),
            ReproduceText.setting(farthest.setting()),
            ReproduceText.number(farthest.figure().mean()),
            ReproduceText.number(farthest.figure().mean() / (1 + off(farthest)))));
  }

  private static long within(List<Row> rows, double share) {
    return rows.stream().filter(row -> Math.abs(off(row)) <= share).count();
  }

  private static double off(Row row) {
    return row.paper() == null ? Double.NaN : row.figure().mean() / row.paper() - 1;
  }

  private void checks(List<String> sentences) {
    List<Experiment.Check> checks = results.checks();
    if (checks.isEmpty()) {
      return;
    }
    List<String> broken =
        checks.stream().filter(check -> !check.holds()).map(Experiment.Check::what).toList();
    sentences.add(
        broken.isEmpty()
            ? "All that was expected holds (%d of %d).".formatted(checks.size(), checks.size())
            : "%d of %d things that were expected do not hold: %s."
                .formatted(broken.size(), checks.size(), String.join("; ", broken)));
  }

  /** Who is best by the first metric, in how many settings. */
  private void best(List<String> sentences) {
    String metric = results.rows().getFirst().metric();
    boolean more = MORE_IS_BETTER.contains(metric);
    Map<Map<String, Object>, Row> bySetting = new LinkedHashMap<>();
    for (Row row : results.rows()) {
      if (row.metric().equals(metric)) {
        bySetting.merge(row.setting(), row, (a, b) -> more == (mean(b) > mean(a)) ? b : a);
      }
    }
    Map<String, Long> wins =
        bySetting.values().stream()
            .collect(Collectors.groupingBy(Row::policy, LinkedHashMap::new, Collectors.counting()));
    String named =
        wins.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .limit(MOST_NAMED)
            .map(win -> "%s in %d".formatted(win.getKey(), win.getValue()))
            .collect(Collectors.joining(", "));
    sentences.add(
        "%s %s: %s of %d setting%s%s."
            .formatted(
                more ? "Greatest" : "Least",
                metric,
                named,
                bySetting.size(),
                bySetting.size() == 1 ? "" : "s",
                wins.size() > MOST_NAMED ? ", others in the rest" : ""));
  }

  private static double mean(Row row) {
    return row.figure().mean();
  }
}
