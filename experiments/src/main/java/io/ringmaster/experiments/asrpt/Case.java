package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Completion;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.Parallel;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.workload.Generated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** A strategy in a cell. */
public record Case(Cell cell, Strategy strategy) {
  static final String METRIC = "jct_s";

  /** Mean time from submission to completion on one draw. Every schedule is validated. */
  public double completionSeconds(long seed) {
    Generated draw = cell.draw(seed);
    RunResult result =
        ValidatedRun.of(
            draw.cluster(),
            draw.jobs(),
            strategy.policy(),
            given(),
            seed,
            Double.POSITIVE_INFINITY);
    return Completion.meanSeconds(draw.jobs(), result);
  }

  /** A policy that does not ask for lengths has no such setting. */
  private Map<String, String> given() {
    return Policies.named(strategy.policy()).parameters().contains(Estimate.PARAMETER)
        ? strategy.with(Estimate.PARAMETER.name(), cell.prediction().text()).given()
        : strategy.given();
  }

  /** Means over the draws, in the order of the cases. */
  static List<Statistics> figures(List<Case> cases, int draws, int threads, LongConsumer done) {
    int n = cases.size();
    List<Double> seconds =
        Parallel.map(draws * n, threads, done, i -> cases.get(i % n).completionSeconds(i / n + 1));
    List<Statistics> figures = new ArrayList<>();
    for (int c = 0; c < n; c++) {
      double[] values = new double[draws];
      for (int draw = 0; draw < draws; draw++) {
        values[draw] = seconds.get(draw * n + c);
      }
      figures.add(Statistics.of(values));
    }
    return figures;
  }
}
