package io.ringmaster.predictor.regression;

/** How likely it is to be so far out: Student's t and Fisher's F distribution. */
public final class Tails {
  private static final double CONFIDENCE = 0.95;
  private static final double LARGEST_QUANTILE = 13;
  private static final int BISECTIONS = 60;
  private static final int MOST_TERMS = 10_000;
  private static final double PRECISION = 1e-15;
  private static final double TINY = 1e-300;

  /** Lanczos' approximation of the gamma function, g = 7, n = 9. */
  private static final double[] LANCZOS = {
    0.9999999999998099,
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-6,
    1.5056327351493116e-7
  };

  private Tails() {}

  /** The probability that Student's t is further from 0 than this. */
  public static double student(double t, double freedom) {
    return incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
  }

  /** The probability that Fisher's F is above this. */
  public static double fisher(double f, int above, int below) {
    return incompleteBeta(below / 2.0, above / 2.0, below / (below + above * f));
  }

  /** Student's t is within plus and minus this with 95 % probability; from 1 degree of freedom. */
  public static double student95(double freedom) {
    double low = 0;
    double high = LARGEST_QUANTILE;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (student(middle, freedom) > 1 - CONFIDENCE) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  public static double incompleteBeta(double a, double b, double x) {
    if (x <= 0) {
      return 0;
    }
    if (x >= 1) {
      return 1;
    }
    double front =
        Math.exp(
            logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
    // The fraction converges fast on this side only.
    return x < (a + 1) / (a + b + 2)
        ? front * betaFraction(a, b, x) / a
        : 1 - front * betaFraction(b, a, 1 - x) / b;
  }

  /** The continued fraction of the incomplete beta function, by Lentz's method. */
  private static double betaFraction(double a, double b, double x) {
    double c = 1;
    double d = 1 / away(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m < MOST_TERMS; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / away(1 + even * d);
      c = away(1 + even / c);
      value *= d * c;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / away(1 + odd * d);
      c = away(1 + odd / c);
      double step = d * c;
      value *= step;
      if (Math.abs(step - 1) < PRECISION) {
        break;
      }
    }
    return value;
  }

  private static double away(double value) {
    return Math.abs(value) < TINY ? TINY : value;
  }

  private static double logGamma(double x) {
    double sum = LANCZOS[0];
    for (int i = 1; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (x - 1 + i);
    }
    double t = x + LANCZOS.length - 2.5;
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }
}
