package io.ringmaster.cli.simulate;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.model.Past;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.runs.Run;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.simulator.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** One policy over all seeds. */
record ComparedPolicy(String policy, KnownLengths lengths, List<Summary> runs) {
  enum Format {
    TIME,
    SHARE,
    RATIO,
    COUNT
  }

  /**
   * A column of a comparison.
   *
   * @param happened the same of what happened in truth; null: nobody knows
   */
  record Figure(
      String key,
      String title,
      ToDoubleFunction<Summary> value,
      @Nullable ToDoubleFunction<Past> happened,
      Format format) {
    Figure(String key, String title, ToDoubleFunction<Summary> value, Format format) {
      this(key, title, value, null, format);
    }

    /** Empty if nobody knows. */
    String cell(Past past, Durations unit) {
      return happened == null ? "" : cell(new Statistics(happened.applyAsDouble(past), 0), unit);
    }

    String cell(Statistics s, Durations unit) {
      return switch (format) {
        case TIME -> unit.number(s.mean()) + (s.ci95() > 0 ? " ±" + unit.number(s.ci95()) : "");
        case SHARE -> SummaryTable.percent(s.mean());
        case RATIO -> String.format(Locale.ROOT, "%.2f", s.mean());
        case COUNT -> String.format(Locale.ROOT, "%,.0f", s.mean());
      };
    }
  }

  static final List<Figure> FIGURES =
      List.of(
          new Figure(
              "jct_mean_s", "mean JCT", Summary::jctMeanSeconds, Past::jctMeanSeconds, Format.TIME),
          new Figure(
              "jct_p50_s", "median", Summary::jctP50Seconds, Past::jctP50Seconds, Format.TIME),
          new Figure("jct_p95_s", "p95", Summary::jctP95Seconds, Past::jctP95Seconds, Format.TIME),
          new Figure("jct_p99_s", "p99", Summary::jctP99Seconds, Past::jctP99Seconds, Format.TIME),
          new Figure(
              "wait_mean_s",
              "mean wait",
              Summary::waitMeanSeconds,
              Past::waitMeanSeconds,
              Format.TIME),
          new Figure("makespan_s", "makespan", Summary::makespanSeconds, Format.TIME),
          new Figure("gpu_utilization", "GPUs used", Summary::gpuUtilization, Format.SHARE),
          new Figure("slowdown_mean", "slowdown", Summary::slowdownMean, Format.RATIO),
          new Figure("restarts", "restarts", s -> (double) s.restarts(), Format.COUNT),
          new Figure(
              "jct_over_bound",
              "JCT / bound",
              s -> s.jctMeanSeconds() / s.lowerBoundJctSeconds(),
              Format.RATIO),
          new Figure(
              "makespan_over_bound",
              "makespan / bound",
              s -> s.makespanSeconds() / s.lowerBoundMakespanSeconds(),
              Format.RATIO));

  /** All policies of some runs, in the order in which they come. */
  static List<ComparedPolicy> of(List<Run> planned, List<Summary> summaries) {
    Map<String, KnownLengths> lengths = new LinkedHashMap<>();
    planned.forEach(run -> lengths.put(run.spec().name(), run.lengths()));
    return lengths.entrySet().stream()
        .map(each ->
            new ComparedPolicy(
                each.getKey(),
                each.getValue(),
                summaries.stream().filter(s -> s.policy().equals(each.getKey())).toList()))
        .toList();
  }

  Statistics of(ToDoubleFunction<Summary> figure) {
    return Statistics.of(runs.stream().mapToDouble(figure).toArray());
  }

  /** Those of what happened that are known, by their keys. */
  static Map<String, Double> figures(Past past) {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (Figure figure : FIGURES) {
      if (figure.happened() != null) {
        figures.put(figure.key(), figure.happened().applyAsDouble(past));
      }
    }
    return figures;
  }

  /** Every figure by its key. */
  Map<String, Statistics> figures() {
    Map<String, Statistics> figures = new LinkedHashMap<>();
    FIGURES.forEach(figure -> figures.put(figure.key(), of(figure.value())));
    return figures;
  }
}
