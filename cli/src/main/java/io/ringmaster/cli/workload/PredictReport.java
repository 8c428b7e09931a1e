package io.ringmaster.cli.workload;

import io.ringmaster.cli.chart.Chart;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.experiments.Plot;
import io.ringmaster.predictor.forest.Forest;
import io.ringmaster.predictor.length.Accuracy;
import io.ringmaster.predictor.length.Method;
import io.ringmaster.predictor.length.Predictions;
import io.ringmaster.runs.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How well lengths were predicted, as a document and as a picture.
 *
 * @param seconds whether lengths are seconds; else iterations
 * @param first how many jobs came before those that were predicted
 * @param learnt how many of these had ended, and were learnt from
 * @param intervalShare of the lengths, how many the intervals are to hold
 */
record PredictReport(
    boolean seconds,
    int jobs,
    int first,
    int learnt,
    long seed,
    Forest forest,
    Predictions predictions,
    double intervalShare) {
  /** More points only cover each other. */
  private static final int MOST_POINTS = 1500;

  /** What {@code --json} prints and predict.json holds. */
  private record Document(
      String length,
      int jobs,
      int first,
      int learnt,
      int tested,
      int trees,
      int nodes,
      long seed,
      Map<String, Accuracy> methods,
      double interval,
      double covered,
      String version,
      List<FitFigures.InputFile> inputs) {}

  Record document(List<FitFigures.InputFile> inputs) {
    Map<String, Accuracy> methods = new LinkedHashMap<>();
    predictions
        .accuracy()
        .forEach(
            (method, accuracy) -> methods.put(method.name().toLowerCase(Locale.ROOT), accuracy));
    return new Document(
        seconds ? "duration_s" : "iterations",
        jobs,
        first,
        learnt,
        jobs - first,
        forest.trees(),
        forest.nodes(),
        seed,
        methods,
        intervalShare,
        predictions.covered(),
        Version.text(),
        inputs);
  }

  String unit() {
    return seconds ? "s" : "iterations";
  }

  /** Actual against predicted lengths of the forest; of many jobs only some, evenly spread. */
  String plot() {
    double[] predicted = predictions.predicted(Method.FOREST);
    double[] actual = predictions.actual();
    int step = Math.ceilDiv(actual.length, MOST_POINTS);
    List<Plot.Point> points = new ArrayList<>();
    for (int i = 0; i < actual.length; i += step) {
      points.add(new Plot.Point(predicted[i], actual[i], 0));
    }
    double least = points.stream().mapToDouble(p -> Math.min(p.x(), p.y())).min().orElseThrow();
    double most = points.stream().mapToDouble(p -> Math.max(p.x(), p.y())).max().orElseThrow();
    List<Plot.Point> equal =
        Arrays.asList(new Plot.Point(least, least, 0), new Plot.Point(most, most, 0));
    return new Chart(
            "Predicted and actual lengths of jobs", "predicted, " + unit(), "actual, " + unit())
        .scatter(step == 1 ? "jobs" : "every %d. job".formatted(step), points)
        .curve("equal", equal)
        .logHorizontal()
        .logVertical()
        .svg();
  }
}
