package io.ringmaster.advise;

import java.util.List;
import java.util.Optional;

/**
 * What is to be expected of a queue.
 *
 * @param policy that the site has, as far as its past tells, or as was asked
 * @param basis how that is known; a sentence
 * @param draws futures that were simulated
 */
public record Advice(
    Queue queue, String policy, String basis, int draws, List<OfJob> jobs, List<String> notes) {

  /**
   * A job that does not run.
   *
   * @param start none if it may not start
   * @param why it does not start now; a sentence
   * @param helps what would start it sooner, the most helpful first
   */
  public record OfJob(
      Queue.Job job, boolean isHeld, Optional<Start> start, String why, List<Help> helps) {}

  /** When it starts, in seconds from now: low to high in 8 of 10 futures. */
  public record Start(double medianSeconds, double lowSeconds, double highSeconds) {
    static final double SHARE = 0.8;

    static Start of(Spread spread) {
      return new Start(spread.median(), spread.low(SHARE), spread.high(SHARE));
    }
  }

  /**
   * Something that could be done.
   *
   * @param soonerSeconds by how much the median start comes sooner
   */
  public record Help(String change, double soonerSeconds) {}
}
