package io.ringmaster.policy.gadget;

/**
 * What progress is worth: a function of the share of a job's work that is done, from 0 to 1. Each
 * is concave, never falls, and is 0 at 0: so a job's first steps are worth the most, no step is
 * worth less than nothing, and a sum over jobs can be maximised slot by slot with a guarantee.
 */
public sealed interface Utility {
  double of(double share);

  /** Every part of the work is worth the same, and nothing beyond it: no excess training. */
  record Progress() implements Utility {
    @Override
    public double of(double share) {
      return Math.min(share, 1);
    }
  }

  /**
   * The loss falls ever more slowly: (1 - e^(-kappa x)) / (1 - e^(-kappa)).
   *
   * @param kappa how much faster at first; above 0
   */
  record Saturating(double kappa) implements Utility {
    @Override
    public double of(double share) {
      return Math.expm1(-kappa * Math.min(share, 1)) / Math.expm1(-kappa);
    }
  }

  /**
   * The part of a job's whole decrease of loss that is behind it, for a fitted loss curve 1 / (b0 x
   * + b1) + b2. The least loss, b2, does not matter.
   *
   * @param b0 of the fit, with the share of the work for x; above 0
   * @param b1 of the fit; above 0
   */
  record Loss(double b0, double b1) implements Utility {
    @Override
    public double of(double share) {
      double x = Math.min(share, 1);
      return x * (b0 + b1) / (b0 * x + b1);
    }
  }

  /**
   * Alpha-fair: progress of those who have little counts more. log(1 + x) at alpha = 1.
   *
   * @param alpha 0: as progress; the greater, the more it counts; at least 0
   */
  record Fair(double alpha) implements Utility {
    @Override
    public double of(double share) {
      double x = Math.min(share, 1);
      return alpha == 1 ? Math.log1p(x) : Math.expm1((1 - alpha) * Math.log1p(x)) / (1 - alpha);
    }
  }
}
