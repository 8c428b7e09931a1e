package io.ringmaster.advise;

import java.util.Arrays;

/**
 * Lengths of jobs of a kind, of those that ended and of those that still run, which are longer than
 * they have run so far. Who would leave the latter out would take jobs for shorter than they are:
 * at any moment the long ones are those that have not ended.
 *
 * <p>Each counts as one. What still runs hands its share on to those that took longer, in equal
 * parts (Efron, "The two sample problem with censored data", 1967), which gives the estimate of
 * Kaplan and Meier. What nobody takes has no length yet.
 */
final class SeenLengths {
  static final SeenLengths NONE = new SeenLengths(new double[0], new double[0]);

  private final double[] ended;

  /** Shares of the ones from a place on, without what has no length. */
  private final double[] shareFrom;

  private final double unknownShare;
  private final double longestRunning;
  private final int count;
  private final double meanLog;
  private final double squaresLog;

  /** Of jobs that ended, and of others that have run so long. */
  SeenLengths(double[] endedSeconds, double[] runningSeconds) {
    ended = endedSeconds.clone();
    Arrays.sort(ended);
    double[] running = runningSeconds.clone();
    Arrays.sort(running);
    count = ended.length + running.length;
    longestRunning = running.length == 0 ? 0 : running[running.length - 1];
    meanLog = Arrays.stream(ended).map(SeenLengths::log).average().orElse(0);
    squaresLog =
        Arrays.stream(ended).map(length -> log(length) - meanLog).map(apart -> apart * apart).sum();
    shareFrom = new double[ended.length + 1];
    double left = count;
    int stillRunning = 0;
    for (int i = 0; i < ended.length; i++) {
      while (stillRunning < running.length && running[stillRunning] < ended[i]) {
        stillRunning++;
      }
      double share = left / (count - i - stillRunning);
      shareFrom[i] = share;
      left -= share;
    }
    unknownShare = Math.max(0, left) < 1e-9 ? 0 : left;
    for (int i = ended.length - 1; i >= 0; i--) {
      shareFrom[i] += shareFrom[i + 1];
    }
  }

  static double log(double seconds) {
    return StrictMath.log(Math.max(1, seconds));
  }

  double[] ended() {
    return ended;
  }

  /** Of those that ended. */
  double meanLog() {
    return meanLog;
  }

  /** How far the logarithms of those that ended are from their mean: the sum of squares. */
  double squaresLog() {
    return squaresLog;
  }

  int count() {
    return count;
  }

  /** How many ones are longer, what has no length included. */
  double longer(double seconds) {
    return shareFrom[firstAbove(seconds)] + unknownShare;
  }

  /**
   * One of those that are longer.
   *
   * @param part from 0 on, below 1
   * @return NaN: one that has no length, but is longer than {@link #longestRunning}
   */
  double longer(double seconds, double part) {
    int from = firstAbove(seconds);
    double target = part * (shareFrom[from] + unknownShare);
    if (target >= shareFrom[from]) {
      return Double.NaN;
    }
    int low = from;
    int high = ended.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (shareFrom[from] - shareFrom[middle] <= target) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return ended[low];
  }

  double longestRunning() {
    return longestRunning;
  }

  private int firstAbove(double seconds) {
    int low = 0;
    int high = ended.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ended[middle] > seconds) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
