package io.ringmaster.cli.simulate;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.model.Past;
import io.ringmaster.policy.registry.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A comparison as a table for a person, and what is to be said of it.
 *
 * @param rows the best first
 * @param unstopped further columns, if it was searched for schedules that do not stop jobs
 * @param sentences below the table
 */
record ComparisonText(
    String headline,
    List<ComparedPolicy> rows,
    Optional<Truth> truth,
    List<Ratio> unstopped,
    List<String> sentences) {
  private static final String AS_IT_HAPPENED = "as it happened";

  /** A column that is not a figure of a run. */
  record Ratio(String title, ToDoubleFunction<ComparedPolicy> value) {}

  /** Where the terminal is narrow: what most people ask last goes first. */
  private static final List<String> LEAST_FIRST =
      List.of(
          "makespan_over_bound",
          "slowdown_mean",
          "jct_p99_s",
          "jct_p50_s",
          "jct_over_bound",
          "restarts",
          "gpu_utilization",
          "makespan_s");

  String text(int columns) {
    Columns figures = new Columns();
    List<String> header = new ArrayList<>(List.of("policy", "lengths"));
    header.addAll(figures.titles);
    if (truth.isPresent()) {
      header.add("wait off by");
    }
    unstopped.forEach(ratio -> header.add(ratio.title()));
    Table table = new Table(header).left("lengths").optional(figures.leastFirst());
    unstopped.reversed().forEach(ratio -> table.optional(ratio.title()));
    truth.ifPresent(happened -> {
      List<String> cells = new ArrayList<>(List.of(AS_IT_HAPPENED, ""));
      cells.addAll(figures.of(happened.past()));
      Stream.generate(() -> "").limit(header.size() - cells.size()).forEach(cells::add);
      table.row(cells);
    });
    for (ComparedPolicy row : rows) {
      List<String> cells = new ArrayList<>(List.of(name(row), row.lengths().word()));
      cells.addAll(figures.of(row));
      truth.ifPresent(happened -> cells.add(happened.error(row.policy())));
      unstopped.forEach(
          ratio -> cells.add(String.format(Locale.ROOT, "%.2f", ratio.value().applyAsDouble(row))));
      table.row(cells);
    }
    StringBuilder text = new StringBuilder();
    text.append(Prose.wrapped(headline)).append('\n').append(table.text(columns)).append('\n');
    sentences.forEach(sentence -> text.append(Prose.wrapped("- ", sentence)));
    return text.toString();
  }

  /** What runs where nobody chose is marked. */
  private static String name(ComparedPolicy row) {
    return row.policy().equals(Policies.DEFAULT) ? row.policy() + " (default)" : row.policy();
  }

  /** The figures, all times of a column in one unit. */
  private final class Columns {
    final List<ComparedPolicy.Figure> figures = ComparedPolicy.FIGURES;
    final List<Durations> units = new ArrayList<>();
    final List<String> titles = new ArrayList<>();

    Columns() {
      for (ComparedPolicy.Figure figure : figures) {
        DoubleStream means = rows.stream().mapToDouble(r -> r.of(figure.value()).mean());
        Durations unit = Durations.ofColumn(means);
        units.add(unit);
        titles.add(
            figure.format() == ComparedPolicy.Format.TIME
                ? figure.title() + ", " + unit.label()
                : figure.title());
      }
    }

    String[] leastFirst() {
      List<String> keys = figures.stream().map(ComparedPolicy.Figure::key).toList();
      return LEAST_FIRST.stream().map(key -> titles.get(keys.indexOf(key))).toArray(String[]::new);
    }

    List<String> of(ComparedPolicy row) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < figures.size(); i++) {
        cells.add(figures.get(i).cell(row.of(figures.get(i).value()), units.get(i)));
      }
      return cells;
    }

    List<String> of(Past past) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < figures.size(); i++) {
        cells.add(figures.get(i).cell(past, units.get(i)));
      }
      return cells;
    }
  }
}
