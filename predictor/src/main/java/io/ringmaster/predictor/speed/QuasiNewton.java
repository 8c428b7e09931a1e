package io.ringmaster.predictor.speed;

import io.ringmaster.predictor.regression.LeastSquares;
import java.util.function.ToDoubleFunction;

/** The least of a smooth function by BFGS with slopes from differences. */
final class QuasiNewton {
  private static final int MOST_STEPS = 500;
  private static final int HALVINGS = 40;
  private static final double DIFFERENCE = 1e-6;
  private static final double SUFFICIENT = 1e-4;
  private static final double FLAT = 1e-8;

  /** A step further than this in a logarithm leaves what was known of the function. */
  private static final double LONGEST = 2;

  private final ToDoubleFunction<double[]> function;
  private double[] at;
  private double value;
  private double[] slope;
  private double[][] inverse;

  private QuasiNewton(ToDoubleFunction<double[]> function, double[] start) {
    this.function = function;
    this.at = start;
    this.value = function.applyAsDouble(start);
    this.slope = slope(start);
    this.inverse = identity(start.length);
  }

  static double[] minimise(ToDoubleFunction<double[]> function, double[] start) {
    QuasiNewton search = new QuasiNewton(function, start);
    boolean fresh = true;
    for (int step = 0; step < MOST_STEPS && LeastSquares.length(search.slope) > FLAT; step++) {
      boolean moved = search.step();
      if (!moved && fresh) {
        break;
      }
      if (!moved) {
        search.inverse = identity(start.length);
      }
      fresh = !moved;
    }
    return search.at;
  }

  private boolean step() {
    int size = at.length;
    double[] direction = new double[size];
    double descent = 0;
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        direction[i] -= inverse[i][j] * slope[j];
      }
      descent += direction[i] * slope[i];
    }
    if (!(descent < 0)) {
      return false;
    }
    double length = Math.min(1, LONGEST / LeastSquares.length(direction));
    for (int halving = 0; halving < HALVINGS; halving++, length /= 2) {
      double[] next = new double[size];
      for (int i = 0; i < size; i++) {
        next[i] = at[i] + length * direction[i];
      }
      double nextValue = function.applyAsDouble(next);
      if (nextValue < value + SUFFICIENT * length * descent) {
        move(next, nextValue);
        return true;
      }
    }
    return false;
  }

  private void move(double[] next, double nextValue) {
    int size = at.length;
    double[] nextSlope = slope(next);
    double[] moved = new double[size];
    double[] turned = new double[size];
    double curvature = 0;
    for (int i = 0; i < size; i++) {
      moved[i] = next[i] - at[i];
      turned[i] = nextSlope[i] - slope[i];
      curvature += moved[i] * turned[i];
    }
    at = next;
    value = nextValue;
    slope = nextSlope;
    if (curvature <= 1e-12 * LeastSquares.length(moved) * LeastSquares.length(turned)) {
      return;
    }
    double[] spread = new double[size];
    double along = 0;
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        spread[i] += inverse[i][j] * turned[j];
      }
      along += spread[i] * turned[i];
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        inverse[i][j] +=
            (1 + along / curvature) * moved[i] * moved[j] / curvature
                - (spread[i] * moved[j] + moved[i] * spread[j]) / curvature;
      }
    }
  }

  private double[] slope(double[] point) {
    double[] slopes = new double[point.length];
    for (int i = 0; i < point.length; i++) {
      double[] above = point.clone();
      double[] below = point.clone();
      above[i] += DIFFERENCE;
      below[i] -= DIFFERENCE;
      slopes[i] =
          (function.applyAsDouble(above) - function.applyAsDouble(below)) / (2 * DIFFERENCE);
    }
    return slopes;
  }

  private static double[][] identity(int size) {
    double[][] identity = new double[size][size];
    for (int i = 0; i < size; i++) {
      identity[i][i] = 1;
    }
    return identity;
  }
}
