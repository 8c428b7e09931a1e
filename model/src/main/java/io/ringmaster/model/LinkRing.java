package io.ringmaster.model;

/**
 * A ring on a link that it shares with others, as it is when alone.
 *
 * @param job whose ring it is
 * @param exchangeSeconds e: how long it transmits in an iteration
 * @param restSeconds c: how long it does other things
 * @param width how many times what the ring sends the link carries, at least 1
 * @param intensity seconds that its workers compute, together, for each second that it transmits
 */
public record LinkRing(
    int job, double exchangeSeconds, double restSeconds, double width, double intensity) {

  /** Of an iteration. */
  public double periodSeconds() {
    return exchangeSeconds + restSeconds;
  }

  /** How long its exchange would take if it could fill the link. */
  double linkSeconds() {
    return exchangeSeconds / width;
  }

  /** The share of the link that it needs in the long run. */
  double load() {
    return linkSeconds() / periodSeconds();
  }

  /** How many times as long as alone it transmits if an iteration takes so long; at least 1. */
  double stretch(double iterationSeconds) {
    return Math.max(1, (iterationSeconds - restSeconds) / exchangeSeconds);
  }
}
