package io.ringmaster.predictor.forest;

import java.util.Arrays;

/**
 * Grows what is below a node of few rows. They are copied to one place and sorted by each feature
 * once. A pass over the sorted rows finds the best split, and a split keeps both halves sorted: no
 * bin without rows is ever looked at. Finds the splits that histograms would find.
 */
final class SmallNodes {
  private static final int STRIDE = TreeGrower.FEW_ROWS;

  /**
   * A row's weight is how often it was drawn: 16 at the very most in practice. The sum of weights
   * has room for {@code 2^9} a row, and that of labels times weights too.
   */
  private static final int WEIGHT_BITS = 19;

  private static final long WEIGHTS = (1L << WEIGHT_BITS) - 1;

  /** A child has at most half the rows. */
  private static final int MOST_LEVELS = 32 - Integer.numberOfLeadingZeros(STRIDE) + 1;

  private final Sample sample;
  private final int least;
  private final int tried;

  /** By feature, in order of bins: a row's place, above its bin. At the end places alone. */
  private final int[] sorted;

  /** Where places alone begin: they tell the rows of a node in which all features are constant. */
  private final int members;

  private final int[] unsorted = new int[STRIDE];
  private final int[] starts = new int[257];

  /** By place: the label times the weight, above the weight. */
  private final long[] counts = new long[STRIDE];

  private final int[] labels = new int[STRIDE];
  private final int[] isHigher = new int[STRIDE];

  private final int[] rows = new int[STRIDE];

  private final int[] leafRows = new int[STRIDE];
  private final Candidates[] candidates = new Candidates[MOST_LEVELS];
  private final Split best = new Split();
  private Tree tree = new Tree();
  private Chance chance = new Chance(0, 0);

  SmallNodes(Sample sample, ForestSettings settings, int tried) {
    this.sample = sample;
    this.least = settings.leastInLeaf();
    this.tried = tried;
    int width = sample.bins().width();
    members = width * STRIDE;
    sorted = new int[members + STRIDE];
    Arrays.setAll(candidates, _ -> new Candidates(width));
  }

  /** Grows a node of {@code treeRows} and all below it. */
  void grow(
      Tree ofTree, int node, int[] treeRows, int from, int to, Candidates features, Chance by) {
    tree = ofTree;
    chance = by;
    int count = to - from;
    candidates[0].copy(features);
    for (int i = 0; i < count; i++) {
      int row = treeRows[from + i];
      rows[i] = row;
      sorted[members + i] = i << 8;
      labels[i] = sample.rounded()[row];
      long weight = sample.weights()[row];
      counts[i] = ((weight * labels[i]) << WEIGHT_BITS) + weight;
    }
    for (int j = 0; j < features.count(); j++) {
      sort(features.get(j), count);
    }
    grow(node, 0, count, 0);
  }

  private void sort(int feature, int count) {
    byte[] bins = sample.bins().bins();
    int width = sample.bins().width();
    Arrays.fill(starts, 0);
    for (int i = 0; i < count; i++) {
      int bin = bins[rows[i] * width + feature] & 0xff;
      unsorted[i] = bin;
      starts[bin + 1]++;
    }
    for (int bin = 1; bin < starts.length; bin++) {
      starts[bin] += starts[bin - 1];
    }
    int at = feature * STRIDE;
    for (int i = 0; i < count; i++) {
      sorted[at + starts[unsorted[i]]++] = i << 8 | unsorted[i];
    }
  }

  private void grow(int root, int first, int end, int level) {
    Candidates features = candidates[level];
    int node = root;
    int from = first;
    int to = end;
    while (to - from >= 2 * least) {
      search(features, from, to);
      if (!best.found()) {
        break;
      }
      int middle = from + best.lower;
      int child = tree.split(node, best.feature, sample.bins().edge(best.feature, best.bin));
      partition(features, best.feature, from, middle, to);
      candidates[level + 1].copy(features);
      if (middle - from <= to - middle) {
        grow(child, from, middle, level + 1);
        node = child + 1;
        from = middle;
      } else {
        grow(child + 1, middle, to, level + 1);
        node = child;
        to = middle;
      }
    }
    for (int i = from; i < to; i++) {
      leafRows[i] = rows[sorted[members + i] >>> 8];
    }
    sample.leaf(tree, node, leafRows, from, to, chance);
  }

  private void search(Candidates features, int from, int to) {
    best.none();
    long all = 0;
    boolean pure = true;
    int label = labels[sorted[members + from] >>> 8];
    for (int i = members + from; i < members + to; i++) {
      int place = sorted[i] >>> 8;
      all += counts[place];
      pure &= labels[place] == label;
    }
    if (pure) {
      return;
    }
    int weight = (int) (all & WEIGHTS);
    double mean = (double) (all >> WEIGHT_BITS) / weight;
    features.shuffle();
    for (int looked = 0; features.hasNext() && (looked < tried || !best.found()); ) {
      int feature = features.next(chance);
      int at = feature * STRIDE;
      if ((sorted[at + from] & 0xff) == (sorted[at + to - 1] & 0xff)) {
        features.drop();
      } else {
        search(feature, from, to, mean, weight);
        looked++;
      }
    }
  }

  private void search(int feature, int from, int to, double mean, int weight) {
    int first = feature * STRIDE + from;
    long lower = 0;
    for (int i = first; i < first + least; i++) {
      lower += counts[sorted[i] >>> 8];
    }
    double bestScore = best.score;
    int end = feature * STRIDE + to - least;
    for (int i = first + least; i <= end; i++) {
      int entry = sorted[i];
      double lowerWeight = lower & WEIGHTS;
      double above = (lower >> WEIGHT_BITS) - mean * lowerWeight;
      double both = lowerWeight * (weight - lowerWeight);
      // Whether a better split is between two bins is asked last: it seldom comes to that.
      if (above * above > bestScore * both && (entry & 0xff) != (sorted[i - 1] & 0xff)) {
        bestScore = above * above / both;
        best.take(feature, sorted[i - 1] & 0xff, bestScore, i - first);
      }
      lower += counts[entry >>> 8];
    }
  }

  /** Divides the rows in the order of each feature; in that of the split they are divided. */
  private void partition(Candidates features, int by, int from, int middle, int to) {
    int at = by * STRIDE;
    for (int i = at + from; i < at + to; i++) {
      isHigher[sorted[i] >>> 8] = i < at + middle ? 0 : 1;
    }
    partition(members, from, to);
    if (Math.max(middle - from, to - middle) < 2 * least) {
      // Two leaves: nobody asks for an order.
      return;
    }
    for (int j = 0; j < features.count(); j++) {
      if (features.get(j) != by) {
        partition(features.get(j) * STRIDE, from, to);
      }
    }
  }

  private void partition(int at, int from, int to) {
    int low = at + from;
    int high = 0;
    // Both places are written and one is kept: which one, no processor can foretell.
    for (int i = at + from; i < at + to; i++) {
      int entry = sorted[i];
      int up = isHigher[entry >>> 8];
      sorted[low] = entry;
      unsorted[high] = entry;
      low += 1 - up;
      high += up;
    }
    System.arraycopy(unsorted, 0, sorted, low, high);
  }
}
