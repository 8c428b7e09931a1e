package io.ringmaster.model;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When a ring is to transmit: every period, an offset after the whole periods since 1970.
 *
 * <p>Turns are handed out one after the other, as rings start, and are kept. So a ring gets one
 * that suits those that have theirs already, where {@link ShiftedTurns} would find the best for
 * all.
 */
public record Turn(double periodSeconds, double offsetSeconds) {
  /** Periods that are tried are those of the neighbours times so much, over so much. */
  private static final int MOST_PARTS = 4;

  private static final double ROUNDING = 1e-9;

  /** A ring that has a turn. */
  public record Holder(LinkRing ring, Turn turn) {}

  /** As workers read it: {@code PERIOD,OFFSET} in seconds. */
  public String text() {
    return String.format(Locale.ROOT, "%.9f,%.9f", periodSeconds, offsetSeconds);
  }

  /**
   * A turn for a ring that starts, in which it meets none of its neighbours; null if there is none
   * that makes it faster than it is free, or if it transmits more than half of the time: such rings
   * leave no room for another, and drift apart by themselves.
   *
   * @param slack what a period is longer by than it must be, as a share
   */
  public static @Nullable Turn of(LinkRing ring, List<Holder> neighbours, double slack) {
    double own = (1 + slack) * ring.periodSeconds();
    if (2 * ring.linkSeconds() > ring.periodSeconds()) {
      return null;
    }
    if (neighbours.isEmpty()) {
      return new Turn(own, 0);
    }
    List<LinkRing> rings =
        Stream.concat(Stream.of(ring), neighbours.stream().map(Holder::ring)).toList();
    double free = ShiftedTurns.freeSeconds(rings, 0);
    TreeSet<Double> periods = new TreeSet<>();
    for (Holder neighbour : neighbours) {
      for (int a = 1; a <= MOST_PARTS; a++) {
        for (int b = 1; b <= MOST_PARTS; b++) {
          periods.add(neighbour.turn.periodSeconds * a / b);
        }
      }
    }
    for (double period : periods.tailSet(own * (1 - ROUNDING))) {
      Turn turn = period < free ? at(period, ring, neighbours, slack) : null;
      if (turn != null) {
        return turn;
      }
    }
    return null;
  }

  /** Right after the exchange of some neighbour, if that suits the others too. */
  private static @Nullable Turn at(
      double period, LinkRing ring, List<Holder> neighbours, double slack) {
    for (Holder after : neighbours) {
      double common = common(period, after.turn.periodSeconds);
      for (int i = 0; i < Math.round(period / common); i++) {
        double offset =
            after.turn.offsetSeconds + (1 + slack) * after.ring.exchangeSeconds() + i * common;
        Turn turn = new Turn(period, modulo(offset, period));
        if (neighbours.stream().allMatch(other -> turn.isApart(ring, other, slack))) {
          return turn;
        }
      }
    }
    return null;
  }

  /** Whether two rings that keep their turns never transmit at once. */
  private boolean isApart(LinkRing ring, Holder other, double slack) {
    double common = common(periodSeconds, other.turn.periodSeconds);
    double after = modulo(offsetSeconds - other.turn.offsetSeconds, common);
    double spare = ROUNDING * common;
    return after + spare >= (1 + slack) * other.ring.exchangeSeconds()
        && common - after + spare >= (1 + slack) * ring.exchangeSeconds();
  }

  private static double modulo(double value, double by) {
    return value - Math.floor(value / by + ROUNDING) * by;
  }

  /** The longest time of which both are whole multiples; next to nothing if there is none. */
  private static double common(double a, double b) {
    double most = Math.max(a, b);
    while (Math.min(a, b) > ROUNDING * most) {
      double rest = Math.max(a, b) % Math.min(a, b);
      double lesser = Math.min(a, b);
      a = lesser;
      b = lesser - rest < ROUNDING * most ? 0 : rest;
    }
    return Math.max(a, b);
  }
}
