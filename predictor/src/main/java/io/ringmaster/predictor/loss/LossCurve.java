package io.ringmaster.predictor.loss;

/**
 * The curve l(k) = 1 / (b0 k + b1) + b2 after k epochs (Peng et al., Optimus, EuroSys 2018, section
 * 3.1). All parameters are 0 or more, so it falls, ever more slowly, towards b2.
 */
public record LossCurve(double b0, double b1, double b2) {
  public LossCurve {
    if (!(b0 >= 0 && b1 >= 0 && b2 >= 0)) {
      throw new IllegalArgumentException("b0 %s, b1 %s, b2 %s".formatted(b0, b1, b2));
    }
  }

  public double at(double epoch) {
    return 1 / (b0 * epoch + b1) + b2;
  }

  /** How much the loss falls in the epochs before this one. */
  private double fall(double epoch, double windowEpochs) {
    return at(epoch - windowEpochs) - at(epoch);
  }

  /**
   * The first whole epoch that is at most {@code loss} below the epoch a window before it; infinite
   * if there is none.
   */
  public double flatFrom(int windowEpochs, double loss) {
    if (b0 == 0) {
      return windowEpochs;
    }
    // With x = b0 (k - w) + b1: 1/x - 1/(x + b0 w) <= loss, a quadratic in x.
    double step = b0 * windowEpochs;
    double x = (StrictMath.sqrt(step * step + 4 * step / loss) - step) / 2;
    double epoch = StrictMath.ceil(windowEpochs + Math.max(0, (x - b1) / b0));
    if (epoch == Double.POSITIVE_INFINITY) {
      return epoch;
    }
    // The root is rounded: the whole epoch may be one beside it.
    if (epoch > windowEpochs && fall(epoch - 1, windowEpochs) <= loss) {
      return epoch - 1;
    }
    return fall(epoch, windowEpochs) <= loss ? epoch : epoch + 1;
  }

  /** The first whole epoch with at most this loss; infinite if there is none. */
  public double below(double loss) {
    if (at(0) <= loss) {
      return 0;
    }
    if (b0 == 0 || loss <= b2) {
      return Double.POSITIVE_INFINITY;
    }
    double epoch = StrictMath.ceil(Math.max(0, (1 / (loss - b2) - b1) / b0));
    if (epoch > 0 && epoch < Double.POSITIVE_INFINITY && at(epoch - 1) <= loss) {
      return epoch - 1;
    }
    return at(epoch) <= loss ? epoch : epoch + 1;
  }
}
