package io.ringmaster.predictor.contention;

import io.ringmaster.predictor.regression.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How many times longer an all-reduce takes beside others, without any formula: T(k, M) / T(1, M).
 *
 * @param measured the mean over the sizes, with its interval over them
 * @param bySize the ratio for each size that was measured with this number of jobs and with one
 * @param fitted what the line gives for the same mean
 * @param linear k + alpha (k - 1): the line's ratio where a is small; NaN if alpha is unknown
 */
public record Degradation(
    int jobs, Estimate measured, List<SizeRatio> bySize, double fitted, double linear) {

  /** The ratio for one size. */
  public record SizeRatio(double bytes, double ratio) {}

  /** One for each number of jobs for which there is a ratio. */
  static List<Degradation> of(ContentionLine line, List<Cell> cells) {
    List<Degradation> all = new ArrayList<>();
    for (int jobs : Cell.jobs(cells)) {
      List<SizeRatio> ratios = new ArrayList<>();
      for (Cell cell : cells) {
        OptionalDouble alone = alone(cells, cell.bytes());
        if (cell.jobs() == jobs && alone.isPresent()) {
          ratios.add(new SizeRatio(cell.bytes(), cell.mean() / alone.getAsDouble()));
        }
      }
      if (!ratios.isEmpty()) {
        all.add(of(jobs, ratios, line));
      }
    }
    return all;
  }

  private static OptionalDouble alone(List<Cell> cells, double bytes) {
    return cells.stream()
        .filter(cell -> cell.jobs() == 1 && cell.bytes() == bytes)
        .mapToDouble(Cell::mean)
        .findFirst();
  }

  private static Degradation of(int jobs, List<SizeRatio> ratios, ContentionLine line) {
    double[] values = ratios.stream().mapToDouble(SizeRatio::ratio).toArray();
    double fitted =
        ratios.stream()
            .mapToDouble(r -> line.seconds(jobs, r.bytes()) / line.seconds(1, r.bytes()))
            .average()
            .orElseThrow();
    return new Degradation(
        jobs, Estimate.mean(values), List.copyOf(ratios), fitted, line.degradation(jobs));
  }

  /** The alpha that this number of jobs alone would give; NaN for one job. */
  public double alphaHere() {
    return jobs == 1 ? Double.NaN : (measured.value() - jobs) / (jobs - 1);
  }

  public double lowest() {
    return bySize.stream().mapToDouble(SizeRatio::ratio).min().orElse(Double.NaN);
  }

  public double highest() {
    return bySize.stream().mapToDouble(SizeRatio::ratio).max().orElse(Double.NaN);
  }
}
