package io.ringmaster.predictor.loss;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Curves whose end is known, and reports of them. */
final class Curves {
  private Curves() {}

  /**
   * A curve with l(1) = 1 that falls by the tolerance in the ten epochs before {@code flat}.
   *
   * <p>With l(k) = (1 - c) / (1 + r (k - 1)) + c, a = flat - 11 and b = flat - 1: (1 - c) 10 r /
   * ((1 + r a) (1 + r b)) = tolerance, a quadratic in r. The larger root is the curve that is past
   * its steep part.
   */
  static LossCurve flatFrom(double flat, double tolerance, double floor) {
    double a = flat - 11;
    double b = flat - 1;
    double linear = (1 - floor) * 10 / tolerance - a - b;
    double rate = (linear + Math.sqrt(linear * linear - 4 * a * b)) / (2 * a * b);
    return new LossCurve(rate / (1 - floor), (1 - rate) / (1 - floor), floor);
  }

  /** Losses after epochs 1 to n, with normal noise relative to them. */
  static List<LossPoint> reports(LossCurve curve, int n, double sigma, RandomGenerator random) {
    List<LossPoint> points = new ArrayList<>();
    for (int k = 1; k <= n; k++) {
      double noise = sigma == 0 ? 0 : sigma * random.nextGaussian();
      points.add(new LossPoint(k, Math.max(0, curve.at(k) * (1 + noise))));
    }
    return points;
  }
}
