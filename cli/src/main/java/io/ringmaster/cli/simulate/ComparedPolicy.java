package io.ringmaster.cli.simulate;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.simulator.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** One policy over all seeds. */
record ComparedPolicy(String policy, List<Summary> runs) {
  enum Format {
    TIME,
    SHARE,
    RATIO,
    COUNT
  }

  /** A column of a comparison. */
  record Figure(String key, String title, ToDoubleFunction<Summary> value, Format format) {
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
          new Figure("jct_mean_s", "mean JCT", Summary::jctMeanSeconds, Format.TIME),
          new Figure("jct_p50_s", "median", Summary::jctP50Seconds, Format.TIME),
          new Figure("jct_p95_s", "p95", Summary::jctP95Seconds, Format.TIME),
          new Figure("jct_p99_s", "p99", Summary::jctP99Seconds, Format.TIME),
          new Figure("wait_mean_s", "mean wait", Summary::waitMeanSeconds, Format.TIME),
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
  static List<ComparedPolicy> of(List<Summary> summaries) {
    Map<String, List<Summary>> byPolicy = new LinkedHashMap<>();
    for (Summary summary : summaries) {
      byPolicy.computeIfAbsent(summary.policy(), _ -> new ArrayList<>()).add(summary);
    }
    List<ComparedPolicy> policies = new ArrayList<>();
    byPolicy.forEach((policy, runs) -> policies.add(new ComparedPolicy(policy, runs)));
    return policies;
  }

  Statistics of(ToDoubleFunction<Summary> figure) {
    return Statistics.of(runs.stream().mapToDouble(figure).toArray());
  }

  /** Every figure by its key. */
  Map<String, Statistics> figures() {
    Map<String, Statistics> figures = new LinkedHashMap<>();
    FIGURES.forEach(figure -> figures.put(figure.key(), of(figure.value())));
    return figures;
  }
}
