package io.ringmaster.predictor.forest;

import java.util.Arrays;

/** The nodes of a tree that grows. The two children of a node lie side by side. */
final class Tree {
  static final int LEAF = -1;

  private int size = 1;
  private int[] feature = new int[64];
  private double[] value = new double[64];
  private int[] link = new int[64];

  /** Makes a node a split, and returns its lower child; the other is next to it. */
  int split(int node, int splitFeature, double edge) {
    int child = size;
    if (child + 2 > feature.length) {
      int to = 2 * feature.length;
      feature = Arrays.copyOf(feature, to);
      value = Arrays.copyOf(value, to);
      link = Arrays.copyOf(link, to);
    }
    size += 2;
    feature[node] = splitFeature;
    value[node] = edge;
    link[node] = child;
    return child;
  }

  /** Makes a node a leaf with the mean of its rows and one of them. */
  void leaf(int node, double mean, int row) {
    feature[node] = LEAF;
    value[node] = mean;
    link[node] = row;
  }

  int size() {
    return size;
  }

  /** Puts the nodes behind those of other trees. */
  void copyTo(int[] features, double[] values, int[] links, int at) {
    System.arraycopy(feature, 0, features, at, size);
    System.arraycopy(value, 0, values, at, size);
    for (int i = 0; i < size; i++) {
      links[at + i] = feature[i] == LEAF ? link[i] : at + link[i];
    }
  }
}
