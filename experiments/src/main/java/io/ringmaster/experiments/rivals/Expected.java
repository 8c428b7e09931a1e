package io.ringmaster.experiments.rivals;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/** What is expected of {@code maestro} in the cells of an experiment. */
public record Expected(List<Row> rows) {
  public List<Experiment.Check> all() {
    List<Experiment.Check> checks = new ArrayList<>();
    if (rows.stream().anyMatch(row -> row.metric().equals(Contest.MEAN))) {
      add(checks, "over the best rival, mean of all cells", mean(_ -> true), 0.995);
      double worst = figures(Contest.MEAN, _ -> true).max().orElseThrow();
      add(checks, "over the best rival, worst cell", worst, 1.01);
      double dear = mean(row -> row.number(Contest.RESTART) == Contest.RESTARTS.getLast());
      add(checks, "over the best rival, restarts of 300 s, mean", dear, 0.97);
      double stops =
          figures(Contest.STOPS_MOST, row -> row.policy().equals("maestro")).max().orElseThrow();
      add(checks, "stops of a job, most", stops, 10);
      double misled = figures(Contest.TO_FIFO, _ -> true).max().orElseThrow();
      add(checks, "lengths reversed: over the better fifo, worst cell", misled, 1.00);
    }
    return checks;
  }

  private static void add(
      List<Experiment.Check> checks, String what, double measured, double limit) {
    checks.add(new Experiment.Check(what, measured, limit));
  }

  private double mean(Predicate<Row> chosen) {
    return figures(Contest.MEAN, chosen).average().orElseThrow();
  }

  private DoubleStream figures(String metric, Predicate<Row> chosen) {
    return rows.stream()
        .filter(row -> row.metric().equals(metric))
        .filter(chosen)
        .mapToDouble(row -> row.figure().mean());
  }
}
