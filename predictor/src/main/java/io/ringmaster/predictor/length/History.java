package io.ringmaster.predictor.length;

/**
 * The lengths of jobs of one kind that have ended, in the order of their ends. Mean and spread are
 * of all; the median is of the last ones only.
 */
final class History {
  private final RecentValues recent;
  private long count;
  private double lengthSum;
  private double logMean;
  private double logSquares;
  private double lastEndSeconds = Double.NaN;

  History(int window) {
    recent = new RecentValues(window);
  }

  void add(double length, double log, double nowSeconds) {
    count++;
    lengthSum += length;
    double off = log - logMean;
    logMean += off / count;
    logSquares += off * (log - logMean);
    lastEndSeconds = nowSeconds;
    recent.add(log);
  }

  long count() {
    return count;
  }

  double meanLength() {
    return lengthSum / count;
  }

  double logMean() {
    return logMean;
  }

  double logMedian() {
    return recent.median();
  }

  double logLast() {
    return recent.last();
  }

  /** Standard deviation; NaN of fewer than two. */
  double logSpread() {
    return count < 2 ? Double.NaN : Math.sqrt(logSquares / (count - 1));
  }

  double lastEndSeconds() {
    return lastEndSeconds;
  }
}
