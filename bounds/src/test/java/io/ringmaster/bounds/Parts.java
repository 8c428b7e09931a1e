package io.ringmaster.bounds;

import io.ringmaster.model.Demand;

/**
 * Amounts of which several share a capacity, as whole numbers.
 *
 * <p>If all are multiples of the smallest, or of up to a thousandth of it, those multiples: small
 * numbers, and nothing is rounded. Else parts of 1e-12 of the capacity, rounded up. Half of what
 * {@link Demand#fits} forgives is forgiven here. So whatever fits to the last bit fits here, and
 * what fits here fits there, as long as fewer than 500 amounts come together.
 */
final class Parts {
  private static final double FORGIVEN = 0.5e-9;
  private static final double WHOLE = 1e-11;

  /** A quotient of round numbers may be a little above the whole number that it is. */
  private static final double LAST_BIT = 1e-3;

  private static final double FINEST = 1e12;
  private static final int DIVISORS = 1000;

  private final long[] amounts;
  private final long capacity;

  private Parts(long[] amounts, long capacity) {
    this.amounts = amounts;
    this.capacity = capacity;
  }

  static Parts of(double[] amounts, double capacity) {
    double smallest = Double.POSITIVE_INFINITY;
    for (double each : amounts) {
      smallest =
          each > 0 && Demand.fits(each, capacity, capacity) ? Math.min(smallest, each) : smallest;
    }
    if (capacity == Double.POSITIVE_INFINITY) {
      return new Parts(new long[amounts.length], 0);
    }
    for (int divisor = 1; divisor <= DIVISORS; divisor++) {
      double unit = smallest / divisor;
      if (capacity / unit <= FINEST && multiples(amounts, unit, capacity)) {
        return in(unit, amounts, capacity);
      }
    }
    return in(capacity / FINEST, amounts, capacity);
  }

  private static boolean multiples(double[] amounts, double unit, double capacity) {
    for (double each : amounts) {
      double parts = each / unit;
      if (Demand.fits(each, capacity, capacity)
          && Math.abs(parts - Math.rint(parts)) > Math.min(LAST_BIT, WHOLE * parts)) {
        return false;
      }
    }
    return true;
  }

  /** What does not fit alone becomes one more than the capacity. */
  private static Parts in(double unit, double[] amounts, double capacity) {
    long all = (long) Math.floor(capacity / unit * (1 + FORGIVEN));
    long[] parts = new long[amounts.length];
    for (int i = 0; i < parts.length; i++) {
      double exact = amounts[i] / unit;
      parts[i] =
          Demand.fits(amounts[i], capacity, capacity)
              ? Math.min(all, (long) Math.ceil(exact - LAST_BIT))
              : all + 1;
    }
    return new Parts(parts, all);
  }

  long amount(int i) {
    return amounts[i];
  }

  /** Zero if there is no limit, as then are all amounts. */
  long capacity() {
    return capacity;
  }
}
