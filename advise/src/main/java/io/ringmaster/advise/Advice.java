package io.ringmaster.advise;

import java.util.List;
import java.util.Optional;

/**
 * What is to be expected of a queue.
 *
 * @param policy that the site has, as far as its past tells, or as was asked
 * @param basis how that is known; a sentence
 * @param draws futures that were simulated
 * @param policies what the site's, which comes first, and others would do with the whole queue;
 *     empty if only some jobs were asked about
 * @param fragments servers whose free GPUs are of no use to any job that waits
 */
public record Advice(
    Queue queue,
    String policy,
    String basis,
    int draws,
    List<OfJob> jobs,
    List<OfPolicy> policies,
    List<Fragment> fragments,
    List<String> notes) {

  /**
   * A job that does not run.
   *
   * @param start none if it may not start
   * @param why it does not start now; a sentence
   * @param helps what would start it sooner, the most helpful first
   */
  public record OfJob(
      Queue.Job job, boolean isHeld, Optional<Start> start, String why, List<Help> helps) {}

  /**
   * When it starts, in seconds from now: low to high in 8 of 10 futures.
   *
   * @param openShare the share of futures in which it is overtaken for as long as others come; when
   *     it starts then, nobody knows
   */
  public record Start(
      double medianSeconds, double lowSeconds, double highSeconds, double openShare) {
    static final double SHARE = 0.8;

    static Start of(Spread spread, double openShare) {
      return new Start(spread.median(), spread.low(SHARE), spread.high(SHARE), openShare);
    }

    /** Whether it is known up to when it starts, in 8 of 10 futures. */
    public boolean hasEnd() {
      return !isOpen(openShare, SHARE);
    }

    public boolean hasMedian() {
      return !isOpen(openShare, 0);
    }

    /** Whether the upper end of what holds a share lies where nobody knows. */
    static boolean isOpen(double openShare, double share) {
      return openShare > (1 - share) / 2;
    }
  }

  /**
   * Something that could be done.
   *
   * @param soonerSeconds by how much the median start comes sooner
   */
  public record Help(String change, double soonerSeconds) {}

  /**
   * What a policy would do with all jobs that wait.
   *
   * @param meanSeconds until a job starts
   * @param sooner jobs that would start at least a minute sooner than now
   * @param later jobs that would start at least a minute later
   */
  public record OfPolicy(String policy, double meanSeconds, int sooner, int later) {}

  /**
   * A server with free GPUs on which no job that waits fits now.
   *
   * @param why a few words
   */
  public record Fragment(String server, int freeGpus, int gpus, String why) {}
}
