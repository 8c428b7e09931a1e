package io.ringmaster.experiments.maestro;

import io.ringmaster.runs.Parallel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;

/** What trials came to, draw by draw. */
final class Outcomes {
  /**
   * Draws that nothing was tuned on: the experiments of the papers begin with seed 1, and what was
   * tuned used seeds below this.
   */
  static final long FIRST_SEED = 10_001;

  private record Task(Trial trial, int draw) {}

  private final Map<Trial, List<double[]>> figures = new HashMap<>();

  private Outcomes(List<Task> tasks, List<double[]> results) {
    for (int i = 0; i < tasks.size(); i++) {
      figures.computeIfAbsent(tasks.get(i).trial, _ -> new ArrayList<>()).add(results.get(i));
    }
  }

  /** Every trial of some ratios, on the first so many fresh draws or as many as a ratio takes. */
  static Outcomes of(List<Ratio> ratios, int draws, int threads, LongConsumer done) {
    List<Task> tasks = tasks(ratios, draws);
    List<double[]> results =
        Parallel.map(
            tasks.size(),
            threads,
            done,
            i -> tasks.get(i).trial.run(FIRST_SEED + tasks.get(i).draw));
    return new Outcomes(tasks, results);
  }

  static long steps(List<Ratio> ratios, int draws) {
    return tasks(ratios, draws).size();
  }

  /** Draw by draw, so that what is left is of one kind with what is done. */
  private static List<Task> tasks(List<Ratio> ratios, int draws) {
    Map<Trial, Integer> needed = new LinkedHashMap<>();
    for (Ratio ratio : ratios) {
      int count = ratio.draws(draws);
      ratio.trials().forEach(trial -> needed.merge(trial, count, Math::max));
    }
    List<Task> tasks = new ArrayList<>();
    for (int draw = 0; draw < draws; draw++) {
      for (Map.Entry<Trial, Integer> each : needed.entrySet()) {
        if (draw < each.getValue()) {
          tasks.add(new Task(each.getKey(), draw));
        }
      }
    }
    return tasks;
  }

  /** A figure on the first draws. */
  double[] values(Quantity quantity, int draws) {
    return Objects.requireNonNull(figures.get(quantity.trial())).stream()
        .limit(draws)
        .mapToDouble(figure -> figure[quantity.at()])
        .toArray();
  }
}
