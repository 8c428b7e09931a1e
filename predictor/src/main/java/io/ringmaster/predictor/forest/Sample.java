package io.ringmaster.predictor.forest;

import java.util.Arrays;

/**
 * What trees are grown from: binned rows with their labels, and for one tree how often its
 * bootstrap sample has each row.
 *
 * <p>Splits are chosen by labels rounded to 25 bits. Their sums are whole numbers: a histogram less
 * another is exact, and so is every comparison whatever the order of the rows. Leaves have the
 * means of the labels as they are.
 */
final class Sample {
  private static final double STEPS = 1 << 24;

  private final Bins bins;
  private final double[] labels;
  private final int[] rounded;
  private final int[] weights;

  private Sample(Bins bins, double[] labels, int[] rounded) {
    this.bins = bins;
    this.labels = labels;
    this.rounded = rounded;
    this.weights = new int[labels.length];
  }

  static Sample of(Bins bins, double[] labels) {
    double least = Arrays.stream(labels).min().orElse(0);
    double most = Arrays.stream(labels).max().orElse(0);
    double middle = least / 2 + most / 2;
    double half = most / 2 - least / 2;
    int[] rounded = new int[labels.length];
    for (int i = 0; i < labels.length && half > 0; i++) {
      rounded[i] = (int) Math.rint((labels[i] - middle) / half * STEPS);
    }
    return new Sample(bins, labels, rounded);
  }

  /** The same rows, for another tree. */
  Sample another() {
    return new Sample(bins, labels, rounded);
  }

  /** Draws as many rows as there are, with replacement; returns those drawn, each once. */
  int[] draw(Chance chance) {
    int n = labels.length;
    Arrays.fill(weights, 0);
    int distinct = 0;
    for (int i = 0; i < n; i++) {
      distinct += weights[chance.below(n)]++ == 0 ? 1 : 0;
    }
    int[] rows = new int[distinct];
    for (int i = 0, at = 0; i < n; i++) {
      if (weights[i] > 0) {
        rows[at++] = i;
      }
    }
    return rows;
  }

  Bins bins() {
    return bins;
  }

  /** The label for the choice of splits. */
  int[] rounded() {
    return rounded;
  }

  /** How often the sample has each row. */
  int[] weights() {
    return weights;
  }

  /** Makes a leaf of some rows: their mean, and one of them by chance. */
  void leaf(Tree tree, int node, int[] rows, int from, int to, Chance chance) {
    double first = labels[rows[from]];
    double sum = 0;
    int weight = 0;
    for (int i = from; i < to; i++) {
      sum += weights[rows[i]] * (labels[rows[i]] - first);
      weight += weights[rows[i]];
    }
    int at = from;
    for (int left = chance.below(weight) - weights[rows[at]]; left >= 0; ) {
      at++;
      left -= weights[rows[at]];
    }
    tree.leaf(node, first + sum / weight, rows[at]);
  }
}
