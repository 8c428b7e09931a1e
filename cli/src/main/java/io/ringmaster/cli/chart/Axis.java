package io.ringmaster.cli.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One direction of a chart: from the first tick to the last, which have all values between them.
 *
 * @param ticks rising; two or more
 */
record Axis(List<Double> ticks, boolean logarithmic) {
  private static final int[] STEPS = {1, 2, 5, 10};

  /** From here on only powers of ten get a tick. */
  private static final double DECADES_WITH_STEPS = 2.5;

  private static final double PLAIN_FROM = 1e-4;
  private static final double PLAIN_TO = 1e7;
  private static final double GROUPED_FROM = 1e4;

  /** Ten digits: what is beyond them comes from adding up steps. */
  private static final MathContext DIGITS = new MathContext(10, RoundingMode.HALF_EVEN);

  /** An axis in equal steps, about so many. */
  static Axis linear(double least, double most, int steps) {
    double low = least;
    double high = most;
    if (low == high) {
      double around = low == 0 ? 1 : Math.abs(low) / 2;
      low -= around;
      high += around;
    }
    BigDecimal step = step((high - low) / steps);
    // A value that rounding put a hair beyond a tick needs no further tick.
    double hair = 1e-9;
    long first = (long) Math.floor(low / step.doubleValue() + hair);
    long last = (long) Math.ceil(high / step.doubleValue() - hair);
    List<Double> ticks = new ArrayList<>();
    for (long i = first; i <= last; i++) {
      ticks.add(step.multiply(BigDecimal.valueOf(i)).doubleValue());
    }
    return new Axis(ticks, false);
  }

  /** The next larger of 1, 2, 5, 10 times a power of ten. */
  private static BigDecimal step(double atLeast) {
    int exponent = (int) Math.floor(Math.log10(atLeast));
    for (int factor : STEPS) {
      BigDecimal step = BigDecimal.valueOf(factor).scaleByPowerOfTen(exponent);
      if (step.doubleValue() >= atLeast * (1 - 1e-9)) {
        return step;
      }
    }
    return BigDecimal.ONE.scaleByPowerOfTen(exponent + 1);
  }

  /** An axis on which equal factors are equal distances. */
  static Axis logarithmic(double least, double most) {
    if (!(least > 0)) {
      throw new IllegalArgumentException("a logarithmic axis has no place for " + least);
    }
    boolean steps = Math.log10(most / least) < DECADES_WITH_STEPS;
    List<Double> all = new ArrayList<>();
    for (int e = (int) Math.floor(Math.log10(least)); e <= Math.log10(most) + 1; e++) {
      for (int factor : steps ? new int[] {1, 2, 5} : new int[] {1}) {
        all.add(BigDecimal.valueOf(factor).scaleByPowerOfTen(e).doubleValue());
      }
    }
    double hair = 1 + 1e-9;
    int first = 0;
    while (all.get(first + 1) <= least * hair) {
      first++;
    }
    int last = first + 1;
    while (all.get(last) * hair < most) {
      last++;
    }
    return new Axis(List.copyOf(all.subList(first, last + 1)), true);
  }

  double first() {
    return ticks.getFirst();
  }

  double last() {
    return ticks.getLast();
  }

  /**
   * Where a value is: 0 at the first tick, 1 at the last. What is below the first tick is at it.
   */
  double at(double value) {
    double inside = Math.max(value, first());
    return logarithmic
        ? Math.log(inside / first()) / Math.log(last() / first())
        : (inside - first()) / (last() - first());
  }

  /** The ticks in words; those of equal steps in the same manner. */
  List<String> labels() {
    return ticks.stream().map(this::label).toList();
  }

  private String label(double tick) {
    BigDecimal value = rounded(tick);
    if (value.signum() == 0) {
      return "0";
    }
    double size = logarithmic ? tick : Math.max(Math.abs(first()), Math.abs(last()));
    if (size < PLAIN_FROM || size >= PLAIN_TO) {
      int exponent = value.precision() - value.scale() - 1;
      return value.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
    }
    int decimals = Math.max(0, value.scale());
    if (!logarithmic) {
      decimals = ticks.stream().mapToInt(t -> rounded(t).scale()).reduce(0, Math::max);
    }
    String format = size >= GROUPED_FROM ? "%,." + decimals + "f" : "%." + decimals + "f";
    return String.format(Locale.ROOT, format, value);
  }

  private static BigDecimal rounded(double value) {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros();
  }
}
