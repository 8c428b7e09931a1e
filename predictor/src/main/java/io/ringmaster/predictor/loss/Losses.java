package io.ringmaster.predictor.loss;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Losses by epoch, few enough to fit a curve through them at any time: when there are {@link #MOST}
 * points, neighbours are merged two by two into their means, and from then on twice as many reports
 * make a point. The first point, which is mostly the greatest loss, stays as it is.
 */
final class Losses {
  static final int MOST = 512;
  private static final int FIRST_ROOM = 16;

  double[] epoch = new double[FIRST_ROOM];
  double[] loss = new double[FIRST_ROOM];

  /** How many reported points each is the mean of. */
  double[] count = new double[FIRST_ROOM];

  int size;
  private double countOfAPoint = 1;
  private double lastEpoch;

  static Losses of(List<LossPoint> points) {
    Losses losses = new Losses();
    points.stream()
        .sorted(Comparator.comparingDouble(LossPoint::epoch).thenComparingDouble(LossPoint::loss))
        .forEach(losses::add);
    return losses;
  }

  /** A copy with other losses at the same epochs. */
  Losses withLosses(double[] others) {
    Losses copy = new Losses();
    copy.epoch = epoch;
    copy.loss = others;
    copy.count = count;
    copy.size = size;
    copy.lastEpoch = lastEpoch;
    return copy;
  }

  double lastEpoch() {
    return lastEpoch;
  }

  /** Adds a point in its place. Points of the same epoch are one, their mean. */
  void add(LossPoint point) {
    lastEpoch = Math.max(lastEpoch, point.epoch());
    int at = size;
    while (at > 0 && epoch[at - 1] > point.epoch()) {
      at--;
    }
    boolean unfinished = at > 1 && at == size && count[at - 1] < countOfAPoint;
    if (unfinished || (at > 0 && epoch[at - 1] == point.epoch())) {
      merge(at - 1, at - 1, point.epoch(), point.loss(), 1);
      return;
    }
    if (size == MOST) {
      thin();
      add(point);
      return;
    }
    if (size == epoch.length) {
      int room = Math.min(MOST, 2 * size);
      epoch = Arrays.copyOf(epoch, room);
      loss = Arrays.copyOf(loss, room);
      count = Arrays.copyOf(count, room);
    }
    System.arraycopy(epoch, at, epoch, at + 1, size - at);
    System.arraycopy(loss, at, loss, at + 1, size - at);
    System.arraycopy(count, at, count, at + 1, size - at);
    epoch[at] = point.epoch();
    loss[at] = point.loss();
    count[at] = 1;
    size++;
  }

  private void thin() {
    int kept = 1;
    for (int i = 1; i < size; i += 2) {
      epoch[kept] = epoch[i];
      loss[kept] = loss[i];
      count[kept] = count[i];
      if (i + 1 < size) {
        merge(kept, i, epoch[i + 1], loss[i + 1], count[i + 1]);
      }
      kept++;
    }
    size = kept;
    countOfAPoint *= 2;
  }

  /** Sets a point to the mean of one and another. */
  private void merge(int to, int one, double otherEpoch, double otherLoss, double otherCount) {
    double sum = count[one] + otherCount;
    epoch[to] = epoch[one] + (otherEpoch - epoch[one]) * (otherCount / sum);
    loss[to] = loss[one] + (otherLoss - loss[one]) * (otherCount / sum);
    count[to] = sum;
  }

  /**
   * The losses without what sticks out: a point above or below both its neighbours becomes their
   * mean. Of neighbours that both stick out only the one that does so farther: a spike makes the
   * points beside it look like dents. The ends have one neighbour, and stay.
   */
  double[] withoutOutliers() {
    double[] clean = Arrays.copyOf(loss, size);
    for (int i = 1; i < size - 1; i++) {
      double out = sticksOut(i);
      if (out > 0 && out >= sticksOut(i - 1) && out >= sticksOut(i + 1)) {
        clean[i] = (loss[i - 1] + loss[i + 1]) / 2;
      }
    }
    return clean;
  }

  /** How far a point is beyond its neighbours; 0 or less if it is between them or at an end. */
  private double sticksOut(int i) {
    if (i == 0 || i == size - 1) {
      return 0;
    }
    double high = Math.max(loss[i - 1], loss[i + 1]);
    double low = Math.min(loss[i - 1], loss[i + 1]);
    return Math.max(loss[i] - high, low - loss[i]);
  }
}
