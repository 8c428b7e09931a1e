package io.ringmaster.whatif;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A figure over draws of what is not known: its mean, its least and its greatest value. */
public record Range(double mean, double low, double high) {
  static <T> Range of(List<T> draws, ToDoubleFunction<T> figure) {
    return of(draws.stream().mapToDouble(figure).toArray());
  }

  static Range of(double[] values) {
    DoubleSummaryStatistics all = Arrays.stream(values).summaryStatistics();
    return new Range(all.getAverage(), all.getMin(), all.getMax());
  }
}
