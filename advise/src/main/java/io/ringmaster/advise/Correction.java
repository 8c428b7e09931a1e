package io.ringmaster.advise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Corrects forecasts by how earlier ones did. A site has rules that no file tells of: limits of
 * users, reservations, a server that is down. What comes of them is seen in how far truths lie from
 * what was said.
 *
 * <p>Each quantile is moved, on a scale of logarithms, so far that the right share of the earlier
 * truths would have been below it: conformal prediction (Vovk, Gammerman, Shafer, "Algorithmic
 * Learning in a Random World", 2005; for quantiles Romano, Patterson, Candes, NeurIPS 2019). With
 * few forecasts that would be chance, so beside them stand {@value #TRUSTED_MOMENTS} moments at
 * which all went as forecast, and intervals only grow: one that shrank because all went well for a
 * day would not hold the next.
 */
public final class Correction {
  /** Changes nothing. */
  public static final Correction NONE = new Correction(List.of());

  private static final double TRUSTED_MOMENTS = 4;
  private static final int PARTS = 10;

  /** Below this, differences in minutes count and not in shares. */
  private static final double SHORT_SECONDS = 600;

  /** Shifts are found at so many shares, and between them by a straight line. */
  private static final int SHARES = 40;

  private final double[] shifts;

  /**
   * A forecast and the truth, in seconds from the moment.
   *
   * @param weight all of one moment weigh one
   */
  record Tested(int moment, Spread forecast, double truthSeconds, double weight) {}

  private record Residual(double value, double weight) {}

  Correction(List<Tested> tested) {
    shifts = new double[tested.isEmpty() ? 0 : SHARES + 1];
    double moments = tested.stream().mapToDouble(Tested::weight).sum();
    double trust = TRUSTED_MOMENTS / Math.max(1, moments) / (PARTS - 1);
    for (int i = 0; i < shifts.length; i++) {
      double share = Math.clamp(i / (double) SHARES, 0.5 / SHARES, 1 - 0.5 / SHARES);
      double shift = shift(tested, share, trust);
      shifts[i] = share < 0.5 ? Math.min(0, shift) : Math.max(0, shift);
    }
  }

  private static double scaled(double seconds) {
    return Math.log(Math.max(0, seconds) + SHORT_SECONDS);
  }

  /** What is to be said instead. */
  Spread of(Spread forecast) {
    if (shifts.length == 0) {
      return forecast;
    }
    double[] corrected = forecast.values();
    for (int i = 0; i < corrected.length; i++) {
      double at = SHARES * (i + 1.0) / (corrected.length + 1);
      double shift = shifts[(int) at] + (at - (int) at) * (shifts[(int) at + 1] - shifts[(int) at]);
      double moved = Math.exp(scaled(corrected[i]) + shift) - SHORT_SECONDS;
      corrected[i] = Math.max(i == 0 ? 0 : corrected[i - 1], moved);
    }
    return Spread.of(corrected);
  }

  /** So much must be added to a quantile that a share of truths is below it. */
  private static double shift(List<Tested> tested, double share, double trust) {
    List<Residual> residuals = new ArrayList<>();
    double total = 0;
    for (Tested each : tested) {
      double said = scaled(each.forecast.quantile(share));
      residuals.add(new Residual(scaled(each.truthSeconds) - said, each.weight));
      total += each.weight * (1 + trust * (PARTS - 1));
      for (int part = 1; part < PARTS; part++) {
        double asForecast = scaled(each.forecast.quantile(part / (double) PARTS)) - said;
        residuals.add(new Residual(asForecast, each.weight * trust));
      }
    }
    residuals.sort(Comparator.comparingDouble(Residual::value));
    double below = 0;
    for (Residual residual : residuals) {
      below += residual.weight;
      if (below >= share * total) {
        return residual.value;
      }
    }
    return residuals.getLast().value;
  }
}
