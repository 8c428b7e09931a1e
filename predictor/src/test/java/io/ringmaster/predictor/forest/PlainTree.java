package io.ringmaster.predictor.forest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A regression tree as a textbook has it: tries every split of every node, and sorts anew. */
final class PlainTree {
  private final Rows rows;
  private final double[] labels;
  private final int[] weights;
  private final int leastInLeaf;
  private final double[] predicted;

  private PlainTree(Rows rows, double[] labels, int[] weights, int leastInLeaf) {
    this.rows = rows;
    this.labels = labels;
    this.weights = weights;
    this.leastInLeaf = leastInLeaf;
    this.predicted = new double[labels.length];
  }

  /** The mean of the leaf that each row of the sample falls into. */
  static double[] predicted(Rows rows, double[] labels, int[] weights, int leastInLeaf) {
    PlainTree tree = new PlainTree(rows, labels, weights, leastInLeaf);
    tree.grow(IntStream.range(0, labels.length).filter(i -> weights[i] > 0).boxed().toList());
    return tree.predicted;
  }

  private void grow(List<Integer> node) {
    double bestError = Double.POSITIVE_INFINITY;
    List<List<Integer>> best = List.of();
    if (node.stream().map(i -> labels[i]).distinct().count() > 1) {
      for (int f = 0; f < rows.width(); f++) {
        int feature = f;
        for (double edge : node.stream().mapToDouble(i -> at(i, feature)).distinct().toArray()) {
          List<Integer> low = new ArrayList<>();
          List<Integer> high = new ArrayList<>();
          node.forEach(i -> (at(i, feature) <= edge ? low : high).add(i));
          double error = error(low) + error(high);
          if (Math.min(low.size(), high.size()) >= leastInLeaf && error < bestError) {
            bestError = error;
            best = List.of(low, high);
          }
        }
      }
    }
    if (best.isEmpty()) {
      node.forEach(i -> predicted[i] = mean(node));
    }
    best.forEach(this::grow);
  }

  /** What is not known is below everything. */
  private double at(int row, int feature) {
    double value = rows.at(row, feature);
    return Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
  }

  private double mean(List<Integer> node) {
    double weight = node.stream().mapToInt(i -> weights[i]).sum();
    return node.stream().mapToDouble(i -> weights[i] * labels[i]).sum() / weight;
  }

  private double error(List<Integer> node) {
    double mean = mean(node);
    return node.stream()
        .mapToDouble(i -> weights[i] * (labels[i] - mean) * (labels[i] - mean))
        .sum();
  }
}
