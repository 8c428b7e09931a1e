package io.ringmaster.predictor.forest;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * A random forest for regression (Breiman, Machine Learning 45, 2001): the mean of trees, each
 * grown on a bootstrap sample of the rows, without pruning.
 *
 * <p>Departures: features are reduced to at most 255 bins before trees are grown, as gradient
 * boosting does it, so edges between bins are the only places of a split. Ties between splits are
 * broken by chance. What is not known, NaN, goes to the lower child.
 *
 * <p>Quantiles follow Meinshausen (Quantile regression forests, JMLR 7, 2006), with one row of each
 * leaf, drawn by chance, in place of all, as his own package for R has done since 2017: a tree adds
 * one value, and nothing is kept beside the trees but the labels.
 *
 * <p>The nodes of all trees lie one after the other in three arrays.
 */
public final class Forest {
  private static final Executor HERE = Runnable::run;
  private static final int HEADER_BYTES = 16;

  private final int width;

  /** The feature of a split, or {@link Tree#LEAF}. */
  private final int[] features;

  /** What is greater goes to the higher child; the mean of a leaf. */
  private final double[] values;

  /** The lower child, next to which is the higher; a row of a leaf. */
  private final int[] links;

  /** The first node of each tree. */
  private final int[] roots;

  private final double[] labels;

  Forest(int width, int[] features, double[] values, int[] links, int[] roots, double[] labels) {
    this.width = width;
    this.features = features;
    this.values = values;
    this.links = links;
    this.roots = roots;
    this.labels = labels;
  }

  /** Grows a forest on the calling thread. */
  public static Forest grow(Rows rows, double[] labels, ForestSettings settings) {
    return grow(rows, labels, settings, HERE);
  }

  /**
   * Grows a forest, each tree as a task of its own. The forest is the same to the last bit whoever
   * runs them and in which order.
   *
   * @param labels one for each row, at least one; finite
   */
  public static Forest grow(
      Rows rows, double[] labels, ForestSettings settings, Executor executor) {
    if (labels.length == 0 || labels.length != rows.size()) {
      throw new IllegalArgumentException(rows.size() + " rows, " + labels.length + " labels");
    }
    if (!Arrays.stream(labels).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("a label is not finite");
    }
    Sample sample = Sample.of(new Bins(rows), labels);
    // As many as run at once, and no more: a grower has room for all rows.
    Queue<TreeGrower> idle = new ConcurrentLinkedQueue<>();
    Tree[] trees = new Tree[settings.trees()];
    CompletableFuture<?>[] grown = new CompletableFuture<?>[trees.length];
    for (int t = 0; t < trees.length; t++) {
      int number = t;
      grown[t] =
          CompletableFuture.runAsync(
              () -> {
                TreeGrower free = idle.poll();
                TreeGrower grower =
                    free == null ? new TreeGrower(sample.another(), settings) : free;
                trees[number] = grower.grow(number);
                idle.add(grower);
              },
              executor);
    }
    CompletableFuture.allOf(grown).join();
    return join(rows.width(), trees, labels.clone());
  }

  static Forest join(int width, Tree[] trees, double[] labels) {
    int nodes = Arrays.stream(trees).mapToInt(Tree::size).reduce(0, Math::addExact);
    int[] features = new int[nodes];
    double[] values = new double[nodes];
    int[] links = new int[nodes];
    int[] roots = new int[trees.length];
    int at = 0;
    for (int t = 0; t < trees.length; t++) {
      roots[t] = at;
      trees[t].copyTo(features, values, links, at);
      at += trees[t].size();
    }
    return new Forest(width, features, values, links, roots, labels);
  }

  public int width() {
    return width;
  }

  public int trees() {
    return roots.length;
  }

  public int nodes() {
    return features.length;
  }

  public double mean(double[] row) {
    double sum = 0;
    for (int root : roots) {
      sum += values[leaf(root, row)];
    }
    return sum / roots.length;
  }

  /** One label from each tree in rising order: a sample of what the label may be. */
  public double[] sample(double[] row) {
    double[] sample = new double[roots.length];
    for (int t = 0; t < roots.length; t++) {
      sample[t] = labels[links[leaf(roots[t], row)]];
    }
    Arrays.sort(sample);
    return sample;
  }

  private int leaf(int root, double[] row) {
    int node = root;
    int feature = features[node];
    while (feature != Tree.LEAF) {
      node = row[feature] > values[node] ? links[node] + 1 : links[node];
      feature = features[node];
    }
    return node;
  }

  /** How many bytes {@link #write} needs. */
  public int byteCount() {
    long count = HEADER_BYTES + 4L * roots.length + 16L * features.length + 8L * labels.length;
    return Math.toIntExact(count);
  }

  /** Puts down the forest; {@link #read} gives the same to the last bit. */
  public void write(ByteBuffer out) {
    out.putInt(width).putInt(roots.length).putInt(features.length).putInt(labels.length);
    put(out, roots);
    put(out, features);
    put(out, links);
    put(out, values);
    put(out, labels);
  }

  private static void put(ByteBuffer out, int[] numbers) {
    out.asIntBuffer().put(numbers);
    out.position(out.position() + 4 * numbers.length);
  }

  private static void put(ByteBuffer out, double[] numbers) {
    out.asDoubleBuffer().put(numbers);
    out.position(out.position() + 8 * numbers.length);
  }

  /**
   * Takes up a forest.
   *
   * @throws IllegalArgumentException if the bytes are no forest
   */
  public static Forest read(ByteBuffer in) {
    if (in.remaining() < HEADER_BYTES) {
      throw new IllegalArgumentException("the forest is cut short");
    }
    int width = in.getInt();
    int trees = in.getInt();
    int nodes = in.getInt();
    int rows = in.getInt();
    if (width < 1 || trees < 1 || nodes < trees || rows < 1) {
      throw new IllegalArgumentException("a forest of no trees, nodes, features or rows");
    }
    if (4L * trees + 16L * nodes + 8L * rows > in.remaining()) {
      throw new IllegalArgumentException("the forest is cut short");
    }
    int[] roots = ints(in, trees);
    int[] features = ints(in, nodes);
    int[] links = ints(in, nodes);
    Forest forest =
        new Forest(width, features, doubles(in, nodes), links, roots, doubles(in, rows));
    forest.check();
    return forest;
  }

  private static int[] ints(ByteBuffer in, int count) {
    int[] numbers = new int[count];
    in.asIntBuffer().get(numbers);
    in.position(in.position() + 4 * count);
    return numbers;
  }

  private static double[] doubles(ByteBuffer in, int count) {
    double[] numbers = new double[count];
    in.asDoubleBuffer().get(numbers);
    in.position(in.position() + 8 * count);
    return numbers;
  }

  /** Every path must end in a leaf with a row: children come after their parents. */
  private void check() {
    for (int root : roots) {
      if (root < 0 || root >= features.length) {
        throw new IllegalArgumentException("no node " + root);
      }
    }
    for (int node = 0; node < features.length; node++) {
      boolean good =
          features[node] == Tree.LEAF
              ? links[node] >= 0 && links[node] < labels.length
              : features[node] >= 0
                  && features[node] < width
                  && links[node] > node
                  && links[node] < features.length - 1;
      if (!good) {
        throw new IllegalArgumentException("node %d leads nowhere".formatted(node));
      }
    }
  }
}
