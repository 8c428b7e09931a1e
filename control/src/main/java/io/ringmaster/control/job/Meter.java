package io.ringmaster.control.job;

/**
 * What is measured of a job as it goes, in its row, so that a server that was killed goes on
 * measuring. Changed only by {@link Lifecycle}. NaN: not yet, or not known.
 *
 * @param askedSeconds when the present attempt was asked to stop, to go on elsewhere or later
 * @param stopSeconds how long the last such stop took, from being asked until the attempt had
 *     ended; NaN if the next attempt begins for another reason
 * @param beganSeconds when the launch of the present attempt was decided
 * @param startSeconds how long the present attempt took from there to its first progress report; of
 *     a job that reports none, until it ran
 * @param firstSeconds when the present attempt first reported progress
 * @param firstShare what it reported then
 * @param lastSeconds when it last reported a step of progress, before it was asked to stop
 * @param advances how many such steps were noted
 * @param predictedRate the share of the job a second that was expected where it was placed
 * @param restartSeconds what all its restarts have cost so far
 */
public record Meter(
    double askedSeconds,
    double stopSeconds,
    double beganSeconds,
    double startSeconds,
    double firstSeconds,
    double firstShare,
    double lastSeconds,
    int advances,
    double predictedRate,
    double restartSeconds) {
  /** Of a job that was never launched. */
  public static final Meter NOTHING = unstarted(Double.NaN, Double.NaN, Double.NaN, 0);

  /** A job that said nothing for so long after it ran is taken to report no progress at all. */
  private static final double SILENT_SECONDS = 600;

  /** Fewer steps may be one jump: they say nothing of a speed. */
  private static final int LEAST_ADVANCES = 3;

  private static Meter unstarted(
      double stopSeconds, double beganSeconds, double predictedRate, double restartSeconds) {
    return new Meter(
        Double.NaN,
        stopSeconds,
        beganSeconds,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        0,
        predictedRate,
        restartSeconds);
  }

  /** Whether it is not known yet how long the present attempt takes to start. */
  private boolean isStarting() {
    return !Double.isNaN(beganSeconds) && Double.isNaN(startSeconds);
  }

  /** It was placed where it is expected to do so much a second. */
  Meter predicted(double rate) {
    return new Meter(
        askedSeconds,
        stopSeconds,
        beganSeconds,
        startSeconds,
        firstSeconds,
        firstShare,
        lastSeconds,
        advances,
        rate,
        restartSeconds);
  }

  /** A launch is decided. */
  Meter began(double nowSeconds) {
    return unstarted(stopSeconds, nowSeconds, predictedRate, restartSeconds);
  }

  private Meter started(double seconds) {
    double cost = Math.max(0, seconds);
    double all = Double.isNaN(stopSeconds) ? restartSeconds : restartSeconds + stopSeconds + cost;
    return timed(askedSeconds, stopSeconds, beganSeconds, cost, all);
  }

  /** The same progress, with other times of stops and starts. */
  private Meter timed(double asked, double stop, double began, double start, double restart) {
    return new Meter(
        asked,
        stop,
        began,
        start,
        firstSeconds,
        firstShare,
        lastSeconds,
        advances,
        predictedRate,
        restart);
  }

  /** Its present attempt reports progress. Only the first report matters. */
  Meter reported(double share, double nowSeconds) {
    if (!Double.isNaN(firstSeconds)) {
      return this;
    }
    Meter before = isStarting() ? started(nowSeconds - beganSeconds) : this;
    return new Meter(
        before.askedSeconds,
        before.stopSeconds,
        before.beganSeconds,
        before.startSeconds,
        nowSeconds,
        share,
        nowSeconds,
        0,
        before.predictedRate,
        before.restartSeconds);
  }

  /** A step of progress was noted. */
  Meter advanced(double nowSeconds) {
    return new Meter(
        askedSeconds,
        stopSeconds,
        beganSeconds,
        startSeconds,
        firstSeconds,
        firstShare,
        nowSeconds,
        advances + 1,
        predictedRate,
        restartSeconds);
  }

  /** Whether a job that runs has been silent for so long that it will not report. */
  boolean isSilent(Job job, double nowSeconds) {
    return isStarting()
        && job.doneShare() == 0
        && nowSeconds - job.attemptSeconds() > SILENT_SECONDS;
  }

  /** It reported nothing, and is not expected to: it had started when it ran. */
  Meter ran(Job job) {
    return isStarting() && job.doneShare() == 0 && !Double.isNaN(job.attemptSeconds())
        ? started(job.attemptSeconds() - beganSeconds)
        : this;
  }

  /** It is asked to stop, to go on elsewhere or later. A start without progress was for nothing. */
  Meter asked(Job job, double nowSeconds) {
    Meter ran = ran(job);
    Meter before = ran.isStarting() ? ran.started(nowSeconds - beganSeconds) : ran;
    return timed(nowSeconds, stopSeconds, beganSeconds, before.startSeconds, before.restartSeconds);
  }

  /**
   * Its attempt has ended.
   *
   * @param goesOn whether it ended because it was asked to, to go on elsewhere or later
   */
  Meter ended(Job job, boolean goesOn, double nowSeconds) {
    Meter before = ran(job);
    double stop = goesOn ? Math.max(0, nowSeconds - askedSeconds) : Double.NaN;
    return timed(Double.NaN, stop, Double.NaN, before.startSeconds, before.restartSeconds);
  }

  /**
   * Nobody looked for a while: how long what was under way has taken can no longer be told, and
   * does not count.
   */
  public Meter interrupted() {
    double stop = isStarting() ? Double.NaN : stopSeconds;
    double began = isStarting() ? Double.NaN : beganSeconds;
    return timed(Double.NaN, stop, began, startSeconds, restartSeconds);
  }

  /** The clock was set: nothing took longer or shorter for that. */
  Meter clockSet(double forwardSeconds) {
    return new Meter(
        askedSeconds + forwardSeconds,
        stopSeconds,
        beganSeconds + forwardSeconds,
        startSeconds,
        firstSeconds + forwardSeconds,
        firstShare,
        lastSeconds + forwardSeconds,
        advances,
        predictedRate,
        restartSeconds);
  }

  /** The share of a job that its present attempt does a second; NaN if that cannot be told yet. */
  public double rate(double doneShare) {
    double seconds = lastSeconds - firstSeconds;
    double share = doneShare - firstShare;
    return advances >= LEAST_ADVANCES && seconds > 0 && share > 0 ? share / seconds : Double.NaN;
  }
}
