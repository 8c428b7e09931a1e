package io.ringmaster.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rings on a link are moved against each other so that they transmit one after the other, where
 * that makes all of them faster: Rajasekaran, Ghobadi, Akella, "CASSINI: Network-Aware Job
 * Scheduling in Machine Learning Clusters", NSDI 2024 (arXiv 2308.00852).
 *
 * <p>Its circle is here a base: a time of which every ring's period is a whole multiple. Rings
 * whose exchanges fit into a base one after the other never meet. A worker that is held waits, so a
 * ring may be held to a longer period than its own, and periods need not be equal to begin with.
 * All are held with some slack, else exchanges that are a little late disturb the next.
 *
 * <p>Departures: CASSINI turns circles until the least demand above capacity is left, and lets the
 * rest slow jobs down; here rings are either held so that nothing is left, or free. Each link is
 * looked at by itself: three rings that meet two by two on three links may have no shift that suits
 * all, and that is left out, or every change would be felt in the whole cluster.
 *
 * @param slack what a period is longer by than it must be, as a share
 */
public record ShiftedTurns(double slack) implements Turns {
  /** Bases are the periods of rings, and these over whole numbers up to this. */
  private static final int MOST_PARTS = 4;

  /** Rings that are held on a link: a base, and the period of each. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Hold(double baseSeconds, double[] periodSeconds) {}

  /** Between what times an iteration of a ring lies that nobody holds. */
  public record Range(double least, double most) {}

  @Override
  public double[] stretches(List<LinkRing> rings) {
    Hold hold = hold(rings);
    double[] stretches = new double[rings.size()];
    for (int i = 0; i < stretches.length; i++) {
      double seconds = hold == null ? freeSeconds(rings, i) : hold.periodSeconds()[i];
      stretches[i] = rings.get(i).stretch(seconds);
    }
    return stretches;
  }

  /**
   * Between interleaving bound and all at once: never faster than its own period, or than the link
   * carries all; and never slower than if it found every other ring transmitting, always.
   */
  public static Range range(List<LinkRing> rings, int which) {
    LinkRing ring = rings.get(which);
    double most = ring.restSeconds() + ring.exchangeSeconds() * atOnce(rings, ring);
    return new Range(Math.min(bound(rings, ring), most), most);
  }

  /** An iteration of a ring that nobody holds, in the mean over phases. */
  public static double freeSeconds(List<LinkRing> rings, int which) {
    LinkRing ring = rings.get(which);
    double others = load(rings) - ring.load();
    double meets = Math.max(1, 1 / ring.width() + others);
    Range range = range(rings, which);
    double seconds = ring.restSeconds() + ring.exchangeSeconds() * meets;
    return Math.min(range.most(), Math.max(range.least(), seconds));
  }

  private static double atOnce(List<LinkRing> rings, LinkRing ring) {
    return Math.max(1, rings.size() / ring.width());
  }

  /** For equal periods the greater of one and of the sum of all exchanges. */
  private static double bound(List<LinkRing> rings, LinkRing ring) {
    return ring.periodSeconds() * Math.max(1, load(rings));
  }

  private static double load(List<LinkRing> rings) {
    double load = 0;
    for (LinkRing ring : rings) {
      load += ring.load();
    }
    return load;
  }

  /** The periods to which rings are to be held; null if holding does not make each one faster. */
  public @Nullable Hold hold(List<LinkRing> rings) {
    if (rings.size() < 2) {
      return null;
    }
    double all = 0;
    double[] free = new double[rings.size()];
    for (int i = 0; i < free.length; i++) {
      all += rings.get(i).linkSeconds();
      free[i] = freeSeconds(rings, i);
    }
    Hold best = null;
    double least = Double.POSITIVE_INFINITY;
    for (LinkRing ring : rings) {
      for (int parts = 1; parts <= MOST_PARTS; parts++) {
        double base = Math.max(all, ring.periodSeconds() / parts);
        double[] periods = periods(rings, base);
        double cost = cost(periods, free);
        if (cost < least) {
          least = cost;
          best = new Hold((1 + slack) * base, periods);
        }
      }
    }
    return best;
  }

  private double[] periods(List<LinkRing> rings, double base) {
    double[] periods = new double[rings.size()];
    for (int i = 0; i < periods.length; i++) {
      // A period that is a multiple but for rounding stays one.
      double multiple = Math.max(1, Math.ceil(rings.get(i).periodSeconds() / base - 1e-9));
      periods[i] = (1 + slack) * base * multiple;
    }
    return periods;
  }

  /** How slow periods are beside free ones, in sum; infinite if any is not faster. */
  private static double cost(double[] periods, double[] free) {
    double cost = 0;
    for (int i = 0; i < periods.length; i++) {
      if (periods[i] >= free[i]) {
        return Double.POSITIVE_INFINITY;
      }
      cost += periods[i] / free[i];
    }
    return cost;
  }
}
