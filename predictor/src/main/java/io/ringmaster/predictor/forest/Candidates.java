package io.ringmaster.predictor.forest;

/**
 * The features that may split a node, in an order by chance: equal splits, of which small nodes
 * have many, then differ from tree to tree. A feature that is constant in a node is so in all below
 * it, and never looked at again.
 */
final class Candidates {
  private final int[] features;
  private int count;
  private int next;

  Candidates(int width) {
    features = new int[width];
  }

  void all() {
    count = features.length;
    for (int i = 0; i < count; i++) {
      features[i] = i;
    }
  }

  void copy(Candidates other) {
    count = other.count;
    System.arraycopy(other.features, 0, features, 0, count);
  }

  int count() {
    return count;
  }

  int get(int index) {
    return features[index];
  }

  void shuffle() {
    next = 0;
  }

  boolean hasNext() {
    return next < count;
  }

  int next(Chance chance) {
    int other = next + chance.below(count - next);
    int feature = features[other];
    features[other] = features[next];
    features[next++] = feature;
    return feature;
  }

  /** The feature that {@link #next} returned last is constant. */
  void drop() {
    next--;
    count--;
    features[next] = features[count];
  }
}
