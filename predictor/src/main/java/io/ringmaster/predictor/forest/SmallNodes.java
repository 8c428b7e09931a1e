package io.ringmaster.predictor.forest;

import java.util.Arrays;

/**
 * Grows what is below a node of few rows. They are copied to one place and sorted by each feature
 * once. A pass over the sorted rows finds the best split, and a split keeps both halves sorted: no
 * bin without rows is ever looked at. Finds the splits that histograms would find.
 */
final class SmallNodes {
  private static final int STRIDE = TreeGrower.FEW_ROWS;

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
  private final long[] sums = new long[STRIDE];
  private final int[] weights = new int[STRIDE];
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
      weights[i] = sample.weights()[row];
      labels[i] = sample.rounded()[row];
      sums[i] = (long) weights[i] * labels[i];
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
    long sum = 0;
    int weight = 0;
    boolean pure = true;
    int label = labels[sorted[members + from] >>> 8];
    for (int i = members + from; i < members + to; i++) {
      int place = sorted[i] >>> 8;
      sum += sums[place];
      weight += weights[place];
      pure &= labels[place] == label;
    }
    if (pure) {
      return;
    }
    double mean = (double) sum / weight;
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
    int end = feature * STRIDE + to - least;
    int bin = sorted[first] & 0xff;
    long lowerSum = 0;
    int lowerWeight = 0;
    double bestScore = best.score;
    for (int i = first; i <= end; i++) {
      int entry = sorted[i];
      int nextBin = entry & 0xff;
      if (nextBin != bin) {
        if (i - first >= least) {
          double above = lowerSum - mean * lowerWeight;
          double score = above * above / ((double) lowerWeight * (weight - lowerWeight));
          if (score > bestScore) {
            bestScore = score;
            best.take(feature, bin, score, i - first);
          }
        }
        bin = nextBin;
      }
      int place = entry >>> 8;
      lowerSum += sums[place];
      lowerWeight += weights[place];
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
