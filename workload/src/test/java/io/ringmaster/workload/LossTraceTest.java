package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.predictor.loss.Convergence;
import io.ringmaster.predictor.loss.LossFit;
import io.ringmaster.predictor.loss.LossPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How well remaining epochs are foreseen on the validation curves that Pollux was evaluated with
 * (petuum/adaptdl, osdi21-artifact), which are no part of this repository: run with {@code
 * RINGMASTER_TRACES} set to the directory that holds {@code profiles/}. The figures are those of
 * docs/fitting-loss.md.
 */
class LossTraceTest {
  private static final String FILE = "profiles/pollux_measured_step_times.tar.xz";
  private static final int WINDOW = 10;

  @TempDir Path temporary;

  /** Of all batch sizes: the mean of |expected - true| / true, of the fit and of two guesses. */
  private record Errors(double fit, double twentyMore, double meanOfOthers, int runs) {}

  @BeforeEach
  void unpack() throws IOException {
    TarXz.unpack(FILE, temporary);
  }

  /** One curve for each batch size; of accuracies what is missing to 1. */
  private List<List<LossPoint>> curves(String model) throws IOException {
    List<List<LossPoint>> curves = new ArrayList<>();
    try (Stream<Path> files = Files.list(temporary.resolve(model))) {
      for (Path file : files.filter(f -> f.toString().contains("validation-")).sorted().toList()) {
        boolean accuracy = model.equals("cifar10") || model.equals("imagenet");
        List<LossPoint> points = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
          String[] cells = line.split(",", -1);
          if (!cells[2].equals("metric")) {
            double metric = Double.parseDouble(cells[2]);
            points.add(new LossPoint(points.size() + 1, accuracy ? 1 - metric : metric));
          }
        }
        curves.add(points);
      }
    }
    return curves;
  }

  /** The first epoch at which running medians of five fell by no more in ten epochs; or NaN. */
  private static double truth(List<LossPoint> points, double tolerance) {
    double[] median = new double[points.size()];
    for (int i = 0; i < median.length; i++) {
      double[] near =
          points.subList(Math.max(0, i - 2), Math.min(median.length, i + 3)).stream()
              .mapToDouble(LossPoint::loss)
              .sorted()
              .toArray();
      median[i] = near[near.length / 2];
    }
    double greatest = Arrays.stream(median).max().orElseThrow();
    for (int k = WINDOW; k < median.length; k++) {
      if (median[k - WINDOW] - median[k] <= tolerance * greatest) {
        return points.get(k).epoch();
      }
    }
    return Double.NaN;
  }

  private Errors errors(String model, double share, double tolerance) throws IOException {
    Convergence convergence = Convergence.of(new Convergence.Goal.Flat(WINDOW, tolerance), 200);
    List<List<LossPoint>> curves = curves(model);
    double[] truths = curves.stream().mapToDouble(c -> truth(c, tolerance)).toArray();
    double fit = 0;
    double more = 0;
    double others = 0;
    int runs = 0;
    for (int i = 0; i < truths.length; i++) {
      double truth = truths[i];
      if (!Double.isNaN(truth)) {
        int known = (int) Math.round(share * truth);
        LossFit here = LossFit.of(curves.get(i).subList(0, known));
        double mean =
            Arrays.stream(truths).filter(t -> t != truth && !Double.isNaN(t)).average().orElse(0);
        fit += Math.abs(here.forecast(convergence).totalEpochs() - truth) / truth;
        more += Math.abs(known + 20 - truth) / truth;
        others += Math.abs(Math.max(known, mean) - truth) / truth;
        runs++;
      }
    }
    return new Errors(fit / runs, more / runs, others / runs, runs);
  }

  @Test
  void fromTheMiddleOnTheFitIsWithinAFifth() throws IOException {
    for (String model : List.of("cifar10", "imagenet", "deepspeech2", "yolov3")) {
      for (double share : new double[] {0.5, 0.75}) {
        Errors errors = errors(model, share, 0.05);
        assertThat(errors.runs()).isGreaterThanOrEqualTo(6);
        assertThat(errors.fit()).as("%s at %s", model, share).isLessThan(0.2);
        assertThat(errors.fit()).isLessThan(errors.twentyMore());
      }
      assertThat(errors(model, 0.25, 0.05).fit()).as(model).isBetween(0.1, 0.4);
    }
  }

  /**
   * Learning rates that change in steps are no curve of this shape, and small tolerances show it.
   */
  @Test
  void aSmallToleranceIsNotForeseen() throws IOException {
    for (String model : List.of("deepspeech2", "imagenet")) {
      Errors errors = errors(model, 0.75, 0.01);
      assertThat(errors.fit()).as(model).isGreaterThan(errors.meanOfOthers()).isGreaterThan(0.8);
    }
  }
}
