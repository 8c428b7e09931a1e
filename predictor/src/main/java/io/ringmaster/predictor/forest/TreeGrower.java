package io.ringmaster.predictor.forest;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Grows trees, one after the other. A node is split where the squared errors of its two halves
 * about their means add up to least: where {@code sum^2 / weight}, added over the halves, is
 * greatest.
 *
 * <p>A node with many rows has a histogram: for each feature and bin the sum of the labels, the
 * weight and the number of different rows. One pass over the bins finds the best split. Only the
 * smaller child is counted; the other child's histogram is the parent's less that one. Nodes with
 * fewer rows than a histogram has bins go to {@link SmallNodes}.
 */
final class TreeGrower {
  /** Fewer rows are not worth a histogram. Measured: 1,024 and 4,096 are alike, 256 is slower. */
  static final int FEW_ROWS = 1024;

  /** A bin has a sum, and a weight above a count of rows. */
  private static final int BIN = 2;

  private static final int FEATURE = 256 * BIN;

  /** A child has at most half the rows: no deeper with 2^31 of them. */
  private static final int MOST_LEVELS = 32;

  private final Sample sample;
  private final ForestSettings settings;
  private final int tried;
  private final SmallNodes small;
  private final Split best = new Split();
  private final long[] @Nullable [] histograms = new long[MOST_LEVELS][];
  private final Candidates[] candidates = new Candidates[MOST_LEVELS];
  private final int[] higher;
  private int[] rows = {};
  private Tree tree = new Tree();
  private Chance chance = new Chance(0, 0);

  TreeGrower(Sample sample, ForestSettings settings) {
    this.sample = sample;
    this.settings = settings;
    int width = sample.bins().width();
    tried = (int) Math.max(1, Math.round(settings.featureShare() * width));
    small = new SmallNodes(sample, settings, tried);
    higher = new int[sample.bins().size()];
    Arrays.setAll(candidates, _ -> new Candidates(width));
  }

  /** Grows the tree of a number; the same for the same number. */
  Tree grow(int number) {
    Chance its = new Chance(settings.seed(), number);
    return grow(sample.draw(its), its);
  }

  /** Grows a tree on rows that the sample has. */
  Tree grow(int[] drawn, Chance by) {
    tree = new Tree();
    chance = by;
    rows = drawn;
    candidates[0].all();
    if (rows.length > FEW_ROWS) {
      count(0, 0, rows.length);
    }
    grow(0, 0, rows.length, 0);
    return tree;
  }

  /**
   * Grows a node and all below it. Goes down into smaller children by itself and goes on with
   * larger ones, so that few histograms are ever kept: a level has that of the node it is at.
   */
  private void grow(int root, int first, int end, int level) {
    Candidates features = candidates[level];
    int node = root;
    int from = first;
    int to = end;
    while (to - from > FEW_ROWS) {
      search(level, from, to);
      if (!best.found()) {
        sample.leaf(tree, node, rows, from, to, chance);
        return;
      }
      int middle = partition(from, to, best.feature, best.bin);
      int child = tree.split(node, best.feature, sample.bins().edge(best.feature, best.bin));
      boolean lowerIsSmaller = middle - from <= to - middle;
      int smallFrom = lowerIsSmaller ? from : middle;
      int smallTo = lowerIsSmaller ? middle : to;
      candidates[level + 1].copy(features);
      if (to - from - (smallTo - smallFrom) > FEW_ROWS) {
        count(level + 1, smallFrom, smallTo);
        subtract(level);
      }
      grow(lowerIsSmaller ? child : child + 1, smallFrom, smallTo, level + 1);
      node = lowerIsSmaller ? child + 1 : child;
      from = lowerIsSmaller ? middle : from;
      to = lowerIsSmaller ? to : middle;
    }
    small.grow(tree, node, rows, from, to, features, chance);
  }

  /** Fills the histogram of a level with some rows. */
  private void count(int level, int from, int to) {
    Candidates features = candidates[level];
    int width = sample.bins().width();
    long[] histogram = histograms[level];
    if (histogram == null) {
      histogram = new long[width * FEATURE];
      histograms[level] = histogram;
    }
    int active = features.count();
    int[] offsets = new int[active];
    int[] columns = new int[active];
    for (int j = 0; j < active; j++) {
      columns[j] = features.get(j);
      offsets[j] = columns[j] * FEATURE;
      Arrays.fill(histogram, offsets[j], offsets[j] + FEATURE, 0);
    }
    byte[] bins = sample.bins().bins();
    int[] labels = sample.rounded();
    int[] weights = sample.weights();
    for (int i = from; i < to; i++) {
      int row = rows[i];
      int at = row * width;
      long weight = weights[row];
      long sum = weight * labels[row];
      long counts = weight << 32 | 1;
      for (int j = 0; j < active; j++) {
        int bin = offsets[j] + (bins[at + columns[j]] & 0xff) * BIN;
        histogram[bin] += sum;
        histogram[bin + 1] += counts;
      }
    }
  }

  /** Takes the histogram of the next level away from that of a level. */
  private void subtract(int level) {
    long[] whole = histogram(level);
    long[] part = histogram(level + 1);
    Candidates features = candidates[level];
    for (int j = 0; j < features.count(); j++) {
      int from = features.get(j) * FEATURE;
      int to = from + BIN * sample.bins().count(features.get(j));
      for (int i = from; i < to; i++) {
        whole[i] -= part[i];
      }
    }
  }

  private long[] histogram(int level) {
    long[] histogram = histograms[level];
    if (histogram == null) {
      throw new IllegalStateException("no histogram at level " + level);
    }
    return histogram;
  }

  private void search(int level, int from, int to) {
    best.none();
    if (pure(from, to)) {
      return;
    }
    Candidates features = candidates[level];
    features.shuffle();
    for (int looked = 0; features.hasNext() && (looked < tried || !best.found()); ) {
      if (search(histogram(level), features.next(chance), to - from)) {
        looked++;
      } else {
        features.drop();
      }
    }
  }

  private boolean pure(int from, int to) {
    int[] labels = sample.rounded();
    for (int i = from + 1; i < to; i++) {
      if (labels[rows[i]] != labels[rows[from]]) {
        return false;
      }
    }
    return true;
  }

  /** Looks for a better split by a feature; false if it is constant. */
  private boolean search(long[] histogram, int feature, int count) {
    int from = feature * FEATURE;
    int bins = sample.bins().count(feature);
    long sum = 0;
    long counts = 0;
    int filled = 0;
    for (int i = from; i < from + BIN * bins; i += BIN) {
      sum += histogram[i];
      counts += histogram[i + 1];
      filled += histogram[i + 1] != 0 ? 1 : 0;
    }
    if (filled < 2) {
      return false;
    }
    long weight = counts >>> 32;
    double mean = (double) sum / weight;
    int least = settings.leastInLeaf();
    long lowerSum = 0;
    long lowerCounts = 0;
    for (int bin = 0; bin < bins; bin++) {
      long here = histogram[from + BIN * bin + 1];
      if (here == 0) {
        continue;
      }
      lowerSum += histogram[from + BIN * bin];
      lowerCounts += here;
      int lower = (int) lowerCounts;
      if (count - lower < least) {
        break;
      }
      if (lower >= least) {
        double lowerWeight = lowerCounts >>> 32;
        double above = lowerSum - mean * lowerWeight;
        double both = lowerWeight * (weight - lowerWeight);
        if (above * above > best.score * both) {
          best.take(feature, bin, above * above / both, lower);
        }
      }
    }
    return true;
  }

  /** Puts rows of lower bins first, and returns where the others begin; keeps their order. */
  private int partition(int from, int to, int feature, int lastBin) {
    byte[] bins = sample.bins().bins();
    int width = sample.bins().width();
    int low = from;
    int high = 0;
    // Both places are written and one is kept: which one, no processor can foretell.
    for (int i = from; i < to; i++) {
      int row = rows[i];
      int up = (lastBin - (bins[row * width + feature] & 0xff)) >>> 31;
      rows[low] = row;
      higher[high] = row;
      low += 1 - up;
      high += up;
    }
    System.arraycopy(higher, 0, rows, low, high);
    return low;
  }
}
