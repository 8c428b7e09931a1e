package io.ringmaster.cli.reproduce;

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
  private ReproduceText() {}

  static String of(Experiment experiment, int draws, Experiment.Results results) {
    boolean lines = experiment.columns().isEmpty();
    boolean paper = lines && results.rows().stream().anyMatch(row -> row.paper() != null);
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: mean of %d draws ± half of the 95 %% interval%s%n%s%n%n"
            .formatted(
                experiment.name(),
                draws,
                paper ? "; the paper's figure beside it" : "",
                experiment.source()));
    text.append(
        lines ? table(results.rows(), paper) : tables(experiment.columns(), results.rows()));
    if (!results.checks().isEmpty()) {
      text.append("%n%s".formatted(checks(results.checks())));
    }
    return text.toString();
  }

  /**
   * A line for each setting and policy, a column for each metric.
   *
   * @param paper whether the paper's figures stand beside ours
   */
  private static String table(List<Row> rows, boolean paper) {
    List<String> metrics = rows.stream().map(Row::metric).distinct().toList();
    List<String> header = new ArrayList<>(List.of("setting", "policy"));
    metrics.forEach(metric -> header.addAll(paper ? List.of(metric, "paper") : List.of(metric)));
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      String setting = setting(row.setting());
      List<String> cells =
          lines.computeIfAbsent(
              setting + "\n" + row.policy(),
              _ -> {
                List<String> empty = new ArrayList<>(List.of(setting, row.policy()));
                header.stream().skip(2).forEach(_ -> empty.add(""));
                return empty;
              });
      int at = 2 + (paper ? 2 : 1) * metrics.indexOf(row.metric());
      cells.set(at, figure(row));
      if (row.paper() != null) {
        cells.set(at + 1, number(row.paper()));
      }
    }
    Table table = new Table(header);
    lines.values().forEach(table::row);
    return table.text();
  }

  /** A table for all that differs in one setting alone, with its values as columns. */
  private static String tables(String columns, List<Row> rows) {
    Map<String, List<Row>> parts = new LinkedHashMap<>();
    for (Row row : rows) {
      Map<String, Object> others = new LinkedHashMap<>(row.setting());
      others.remove(columns);
      String title =
          others.isEmpty() ? row.metric() : "%s, %s".formatted(row.metric(), setting(others));
      parts.computeIfAbsent(title, _ -> new ArrayList<>()).add(row);
    }
    StringBuilder text = new StringBuilder();
    parts.forEach((title, own) ->
        text.append(text.isEmpty() ? "" : "\n")
            .append(title)
            .append('\n')
            .append(part(columns, own)));
    return text.toString();
  }

  private static String part(String columns, List<Row> rows) {
    List<String> header = new ArrayList<>(List.of("policy"));
    rows.stream().map(row -> column(columns, row)).distinct().forEach(header::add);
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      List<String> cells =
          lines.computeIfAbsent(
              row.policy(),
              policy -> {
                List<String> empty = new ArrayList<>(List.of(policy));
                header.stream().skip(1).forEach(_ -> empty.add(""));
                return empty;
              });
      cells.set(header.indexOf(column(columns, row)), figure(row));
    }
    Table table = new Table(header);
    lines.values().forEach(table::row);
    return table.text();
  }

  private static String column(String columns, Row row) {
    return columns + " " + Objects.requireNonNull(row.setting().get(columns));
  }

  private static String checks(List<Experiment.Check> checks) {
    Table table = new Table("expected", "at most", "measured", "");
    checks.forEach(check ->
        table.row(
            check.what(),
            number(check.limit()),
            String.format(Locale.ROOT, "%.3f", check.measured()),
            check.holds() ? "holds" : "does not hold"));
    return table.text();
  }

  private static String figure(Row row) {
    return number(row.figure().mean()) + " ±" + number(row.figure().ci95());
  }

  private static String setting(Map<String, Object> setting) {
    StringBuilder text = new StringBuilder();
    setting.forEach((key, value) ->
        text.append(text.isEmpty() ? "" : ", ").append(key).append(' ').append(value));
    return text.toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  }
}
