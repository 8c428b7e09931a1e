package io.ringmaster.predictor.contention;

import io.ringmaster.predictor.regression.LeastSquares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** All measurements with the same number of jobs and the same size, in order of their times. */
record Cell(int jobs, double bytes, List<Double> seconds, double mean) {
  private record Key(int jobs, double bytes) {}

  /** By jobs, then by size: the order in which measurements were given does not matter. */
  static List<Cell> of(List<AllReduceTime> measurements) {
    TreeMap<Key, List<Double>> byKey =
        new TreeMap<>(Comparator.comparingInt(Key::jobs).thenComparingDouble(Key::bytes));
    for (AllReduceTime each : measurements) {
      byKey
          .computeIfAbsent(new Key(each.jobs(), each.bytes()), _ -> new ArrayList<>())
          .add(each.seconds());
    }
    List<Cell> cells = new ArrayList<>();
    byKey.forEach((key, times) -> {
      List<Double> sorted = times.stream().sorted().toList();
      double sum = 0;
      for (double time : sorted) {
        sum += time;
      }
      cells.add(new Cell(key.jobs(), key.bytes(), sorted, sum / sorted.size()));
    });
    return cells;
  }

  int count() {
    return seconds.size();
  }

  static int points(List<Cell> cells) {
    return cells.stream().mapToInt(Cell::count).sum();
  }

  static List<Integer> jobs(List<Cell> cells) {
    return cells.stream().map(Cell::jobs).distinct().sorted().toList();
  }

  static List<Double> sizes(List<Cell> cells) {
    return cells.stream().map(Cell::bytes).distinct().sorted().toList();
  }

  static List<Cell> ofSize(List<Cell> cells, double bytes) {
    return cells.stream().filter(cell -> cell.bytes() == bytes).toList();
  }

  /** Squares of the distances of single measurements from the cell's mean. */
  double squaresWithin() {
    return DoubleStream.of(times()).map(time -> (time - mean) * (time - mean)).sum();
  }

  double[] times() {
    return seconds.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Fits the means of cells, each weighted by its measurements over its scale's square. */
  static @Nullable LeastSquares leastSquares(List<Cell> cells, double[][] rows, double[] scales) {
    double[][] weighted = new double[rows.length][];
    double[] values = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      double weight = Math.sqrt(cells.get(i).count()) / scales[i];
      weighted[i] = Arrays.stream(rows[i]).map(x -> weight * x).toArray();
      values[i] = weight * cells.get(i).mean();
    }
    return LeastSquares.of(weighted, values);
  }
}
