package io.ringmaster.policy.maestro;

import java.util.EnumSet;
import java.util.Set;

/**
 * What the policy goes by. {@link #USUAL} is the policy; an experiment leaves out or changes one
 * thing to see what it is worth. How the numbers were found stands in
 * docs/decisions/0065-maestro-second-form.md.
 *
 * @param patienceSeconds how long a job waits before it goes first
 * @param stopping when jobs are stopped for others
 */
public record Rules(double patienceSeconds, Set<Rule> rules, Stopping stopping) {

  /** What it does, each of which can be left out. */
  public enum Rule {
    /** The least work goes first; else by submission. */
    ORDER,
    /** What is left is what is likely, by how wrong lengths were told so far; else as told. */
    LEARNING,
    /** Jobs that suffer from being scattered are kept from it. */
    CONSOLIDATION,
    /** Such a job may wait though GPUs are free. */
    WAITING,
    /** Jobs go on elsewhere if another needs the whole of their servers. */
    MOVING,
    /** Servers are kept for a job only where lengths are known. */
    CAUTION,
    /** Elastic jobs get more than their least size. */
    GROWTH,
    /** Orders of a batch are tried. */
    SEARCH
  }

  /**
   * When jobs are stopped for others.
   *
   * @param most a job that was stopped so often is not stopped again
   * @param aversion what a job has left is divided by this for each time that it was stopped
   * @param restartsAhead a job must have more left than another by so many of its restarts
   * @param sizePower what is left is divided by this power of the GPUs to find who is stopped first
   * @param secondsAStop what it counts that a job was stopped before
   * @param ofWaited a job that waited so long may be expected to wait for so many times as long
   */
  public record Stopping(
      int most,
      double aversion,
      double restartsAhead,
      double sizePower,
      double secondsAStop,
      double ofWaited) {
    public static final Stopping USUAL = new Stopping(10, 1.2, 2, 2, 40, 4);
  }

  private static final double WEEK_SECONDS = 7 * 24 * 3600;

  public static final Rules USUAL =
      new Rules(WEEK_SECONDS, EnumSet.allOf(Rule.class), Stopping.USUAL);

  /**
   * Jobs are heavy whose iterations, scattered or in a crowd, take over this many times as long.
   */
  static final double HEAVY_SLOWDOWN = 1.1;

  /** A job starts scattered if waiting would take this many times what that costs. */
  static final double WAIT_OVER_SCATTERING = 3;

  /** How many jobs may have servers kept for them. */
  static final int MOST_RESERVATIONS = 1;

  public Rules {
    rules = Set.copyOf(rules);
  }

  public boolean has(Rule rule) {
    return rules.contains(rule);
  }

  public Rules without(Rule rule) {
    return new Rules(
        patienceSeconds,
        Set.copyOf(rules.stream().filter(other -> other != rule).toList()),
        stopping);
  }

  public Rules with(Stopping other) {
    return new Rules(patienceSeconds, rules, other);
  }

  Rules withPatience(double seconds) {
    return new Rules(seconds, rules, stopping);
  }
}
