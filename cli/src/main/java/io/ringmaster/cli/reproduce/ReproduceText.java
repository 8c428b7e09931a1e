package io.ringmaster.cli.reproduce;

import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What {@code ringmaster reproduce} prints for a person. */
final class ReproduceText {
  private static final String LENGTHS = "lengths";

  private ReproduceText() {}

  static String of(Experiment experiment, int draws, Experiment.Results results, int columns) {
    boolean lines = experiment.columns().isEmpty();
    boolean paper = lines && results.rows().stream().anyMatch(row -> row.paper() != null);
    StringBuilder text = new StringBuilder();
    text.append(
        Prose.wrapped(
            "%s: %s%s"
                .formatted(
                    experiment.name(),
                    draws == 1
                        ? "one draw, from which no interval can be told"
                        : "mean of %d draws ± half of the 95 %% interval".formatted(draws),
                    paper ? "; the paper's figure beside it" : "")));
    text.append(Prose.wrapped(experiment.source())).append('\n');
    text.append(
        lines
            ? table(results.rows(), draws, paper, columns)
            : tables(experiment.columns(), results.rows(), draws, columns));
    if (!results.checks().isEmpty()) {
      text.append('\n').append(checks(results.checks()));
    }
    return text.append('\n')
        .append(Prose.wrapped("Verdict: " + new Verdict(results).text()))
        .append(Prose.wrapped("What it means is in %s.".formatted(experiment.docs())))
        .toString();
  }

  /**
   * A line for each policy below its setting, a column for each metric.
   *
   * @param paper whether the paper's figures stand beside ours
   */
  private static String table(List<Row> rows, int draws, boolean paper, int columns) {
    List<String> metrics = rows.stream().map(Row::metric).distinct().toList();
    List<String> header = new ArrayList<>(List.of("policy", LENGTHS));
    metrics.forEach(
        metric -> header.addAll(paper ? List.of(metric, "paper: " + metric) : List.of(metric)));
    Map<String, Map<String, List<String>>> bySetting = new LinkedHashMap<>();
    for (Row row : rows) {
      List<String> cells =
          bySetting
              .computeIfAbsent(setting(row.setting()), _ -> new LinkedHashMap<>())
              .computeIfAbsent(row.policy(), policy -> blank("  " + policy, header));
      cells.set(1, row.lengthsWord());
      int at = 2 + (paper ? 2 : 1) * metrics.indexOf(row.metric());
      cells.set(at, figure(row, draws));
      if (row.paper() != null) {
        cells.set(at + 1, number(row.paper()));
      }
    }
    Table table = new Table(header).left(LENGTHS).optional(lastFirst(header, paper ? 4 : 3));
    bySetting.forEach((setting, lines) -> {
      if (!setting.isEmpty()) {
        table.heading(setting);
      }
      lines.values().forEach(table::row);
    });
    return table.text(columns);
  }

  private static List<String> blank(String name, List<String> header) {
    List<String> cells = new ArrayList<>(List.of(name));
    header.stream().skip(1).forEach(_ -> cells.add(""));
    return cells;
  }

  /** All but the first few, which a narrow terminal must hold. */
  private static String[] lastFirst(List<String> header, int kept) {
    return header
        .subList(Math.min(kept, header.size()), header.size())
        .reversed()
        .toArray(String[]::new);
  }

  /** A table for all that differs in one setting alone, with its values as columns. */
  private static String tables(String setting, List<Row> rows, int draws, int columns) {
    Map<String, List<Row>> parts = new LinkedHashMap<>();
    for (Row row : rows) {
      Map<String, Object> others = new LinkedHashMap<>(row.setting());
      others.remove(setting);
      String title =
          others.isEmpty() ? row.metric() : "%s, %s".formatted(row.metric(), setting(others));
      parts.computeIfAbsent(title, _ -> new ArrayList<>()).add(row);
    }
    StringBuilder text = new StringBuilder();
    parts.forEach((title, own) ->
        text.append(text.isEmpty() ? "" : "\n")
            .append(title)
            .append('\n')
            .append(part(setting, own, draws, columns)));
    return text.toString();
  }

  private static String part(String setting, List<Row> rows, int draws, int columns) {
    List<String> header = new ArrayList<>(List.of("policy", LENGTHS));
    rows.stream().map(row -> column(setting, row)).distinct().forEach(header::add);
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      List<String> cells = lines.computeIfAbsent(row.policy(), policy -> blank(policy, header));
      cells.set(1, row.lengthsWord());
      cells.set(header.indexOf(column(setting, row)), figure(row, draws));
    }
    Table table = new Table(header).left(LENGTHS).optional(lastFirst(header, 3));
    lines.values().forEach(table::row);
    return table.text(columns);
  }

  private static String column(String setting, Row row) {
    return setting + " " + Objects.requireNonNull(row.setting().get(setting));
  }

  private static String checks(List<Experiment.Check> checks) {
    Table table = new Table("expected", "at most", "measured", "").words("expected");
    checks.forEach(check ->
        table.row(
            check.what(),
            number(check.limit()),
            String.format(Locale.ROOT, "%.3f", check.measured()),
            check.holds() ? "holds" : "does not hold"));
    return table.text();
  }

  private static String figure(Row row, int draws) {
    String mean = number(row.figure().mean());
    return draws == 1 ? mean : mean + " ±" + number(row.figure().ci95());
  }

  static String setting(Map<String, Object> setting) {
    StringBuilder text = new StringBuilder();
    setting.forEach((key, value) ->
        text.append(text.isEmpty() ? "" : ", ").append(key).append(' ').append(value));
    return text.toString();
  }

  static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  }
}
