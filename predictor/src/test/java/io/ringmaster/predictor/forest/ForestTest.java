package io.ringmaster.predictor.forest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ForestTest {
  /** Random rows of so many features between 0 and 1. */
  private static Rows rows(RandomGenerator random, int count, int width) {
    return new Rows(random.doubles((long) count * width).toArray(), width);
  }

  private static double[] labels(Rows rows, ToDoubleFunction<double[]> label) {
    double[] labels = new double[rows.size()];
    Arrays.setAll(labels, i -> label.applyAsDouble(rows.row(i)));
    return labels;
  }

  private static double squaredError(Forest forest, Rows rows, double[] labels) {
    double sum = 0;
    for (int i = 0; i < labels.length; i++) {
      double off = forest.mean(rows.row(i)) - labels[i];
      sum += off * off;
    }
    return sum / labels.length;
  }

  private static ForestSettings allFeatures(int trees) {
    return new ForestSettings(trees, 2, 1, 1);
  }

  /** A tree without a bootstrap sample: every row once. */
  private static Tree tree(Rows rows, double[] labels, int leastInLeaf) {
    Sample sample = Sample.of(new Bins(rows), labels);
    Arrays.fill(sample.weights(), 1);
    int[] all = new int[labels.length];
    Arrays.setAll(all, i -> i);
    return new TreeGrower(sample, new ForestSettings(1, leastInLeaf, 1, 1))
        .grow(all, new Chance(1, 0));
  }

  private static double predicted(Tree tree, double[] row, double[] labels) {
    return Forest.join(row.length, new Tree[] {tree}, labels).mean(row);
  }

  /**
   * x = 1..6, y = 1 1 1 5 5 9; sums of squares over weights. After two: 2^2/2 + 20^2/4 = 102; after
   * three: 3^2/3 + 19^2/3 = 123.3; after four: 8^2/4 + 14^2/2 = 114. So x &lt;= 3.5 is 1; three
   * rows cannot make two leaves of two, so the others are 19/3. With leaves of one: 5 5 | 9 at 5.5.
   */
  @Test
  void sixPointsByHand() {
    Rows x = new Rows(new double[] {1, 2, 3, 4, 5, 6}, 1);
    double[] y = {1, 1, 1, 5, 5, 9};
    Tree two = tree(x, y, 2);
    assertThat(two.size()).isEqualTo(3);
    assertThat(predicted(two, new double[] {3.5}, y)).isEqualTo(1);
    assertThat(predicted(two, new double[] {3.6}, y)).isCloseTo(19 / 3.0, within(1e-12));
    Tree one = tree(x, y, 1);
    assertThat(one.size()).isEqualTo(5);
    assertThat(predicted(one, new double[] {5.5}, y)).isEqualTo(5);
    assertThat(predicted(one, new double[] {5.6}, y)).isEqualTo(9);
    assertThat(predicted(one, new double[] {Double.NaN}, y)).isEqualTo(1);
  }

  /** Small nodes and histograms find what trying everything finds; ties and NaN included. */
  @Test
  void treesAreThoseOfTheTextbook() {
    Seeds.each(
        12,
        (random, seed) -> {
          // The last seeds have more rows than small nodes take.
          int n = seed <= 8 ? 5 + random.nextInt(200) : TreeGrower.FEW_ROWS * 2;
          int[] values = {2, 7, 100, 240};
          double[] x = new double[4 * n];
          for (int i = 0; i < x.length; i++) {
            int value = random.nextInt(values[i % 4]);
            x[i] = value == 0 ? Double.NaN : value;
          }
          Rows rows = new Rows(x, 4);
          double[] y = random.doubles(n).toArray();
          for (int i = 0; i < n; i++) {
            y[i] += 0.1 * (Double.isNaN(x[4 * i + 1]) ? -3 : x[4 * i + 1]);
          }
          int least = 1 + random.nextInt(3);
          ForestSettings settings = new ForestSettings(1, least, 1, seed);
          Sample sample = Sample.of(new Bins(rows), y);
          sample.draw(new Chance(seed, 0));
          double[] plain = PlainTree.predicted(rows, y, sample.weights(), least);
          Forest forest = Forest.grow(rows, y, settings);
          for (int i = 0; i < n; i++) {
            if (sample.weights()[i] > 0) {
              assertThat(forest.mean(rows.row(i))).isCloseTo(plain[i], within(1e-9));
            }
          }
        });
  }

  @Test
  void aStepIsFoundExactly() {
    Rows x = rows(new SplittableRandom(1), 400, 3);
    double[] y = labels(x, row -> row[1] > 0.5 ? 7.1 : -2.3);
    Forest forest = Forest.grow(x, y, allFeatures(20));
    for (int i = 0; i < x.size(); i++) {
      if (Math.abs(x.at(i, 1) - 0.5) > 0.05) {
        assertThat(forest.mean(x.row(i))).isCloseTo(y[i], within(1e-12));
      }
    }
  }

  /**
   * New rows with noise: much better than the mean, and better the more rows and trees there are.
   */
  @Test
  void moreRowsAndMoreTreesAreBetter() {
    SplittableRandom random = new SplittableRandom(2);
    ToDoubleFunction<double[]> label =
        row -> Math.sin(6 * row[0]) + row[1] * row[2] + 0.5 * random.nextDouble();
    Rows tested = rows(random, 2000, 5);
    double[] truth = labels(tested, label);
    double mean = Arrays.stream(truth).average().orElseThrow();
    double constant =
        Arrays.stream(truth).map(y -> (y - mean) * (y - mean)).average().orElseThrow();
    Rows few = rows(random, 250, 5);
    Rows many = rows(random, 4000, 5);
    double[] fewLabels = labels(few, label);
    double[] manyLabels = labels(many, label);
    double oneTree = squaredError(Forest.grow(few, fewLabels, allFeatures(1)), tested, truth);
    double trees = squaredError(Forest.grow(few, fewLabels, allFeatures(50)), tested, truth);
    double rows = squaredError(Forest.grow(many, manyLabels, allFeatures(50)), tested, truth);
    assertThat(oneTree).isLessThan(0.6 * constant);
    assertThat(trees).isLessThan(0.8 * oneTree);
    assertThat(rows).isLessThan(0.8 * trees);
  }

  /** Nothing to learn: not much worse than the mean, which is the best there is. */
  @Test
  void noiseIsAveragedOut() {
    SplittableRandom random = new SplittableRandom(3);
    Rows x = rows(random, 2000, 4);
    double[] y = labels(x, _ -> random.nextDouble());
    Rows tested = rows(random, 2000, 4);
    double[] truth = labels(tested, _ -> random.nextDouble());
    Forest forest = Forest.grow(x, y, ForestSettings.of(100, 1));
    assertThat(squaredError(forest, tested, truth)).isLessThan(1.2 / 12);
  }

  @Test
  void theNumberOfThreadsDoesNotShow() {
    SplittableRandom random = new SplittableRandom(4);
    Rows x = rows(random, 3000, 6);
    double[] y = labels(x, row -> row[0] + random.nextDouble());
    ForestSettings settings = new ForestSettings(16, 2, 0.5, 9);
    byte[] alone = bytes(Forest.grow(x, y, settings));
    for (int threads : new int[] {2, 5}) {
      try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
        assertThat(bytes(Forest.grow(x, y, settings, pool))).isEqualTo(alone);
      }
    }
    assertThat(bytes(Forest.grow(x, y, new ForestSettings(16, 2, 0.5, 10)))).isNotEqualTo(alone);
  }

  private static byte[] bytes(Forest forest) {
    ByteBuffer out = ByteBuffer.allocate(forest.byteCount());
    forest.write(out);
    assertThat(out.hasRemaining()).isFalse();
    return out.array();
  }

  @Test
  void whatIsWrittenIsReadToTheBit() {
    SplittableRandom random = new SplittableRandom(5);
    Rows x = rows(random, 500, 3);
    double[] y = labels(x, row -> row[0] + random.nextDouble());
    Forest forest = Forest.grow(x, y, ForestSettings.of(10, 1));
    byte[] bytes = bytes(forest);
    Forest again = Forest.read(ByteBuffer.wrap(bytes));
    assertThat(bytes(again)).isEqualTo(bytes);
    assertThat(again.trees()).isEqualTo(10);
    for (int i = 0; i < x.size(); i++) {
      assertThat(again.mean(x.row(i))).isEqualTo(forest.mean(x.row(i)));
      assertThat(again.sample(x.row(i))).isEqualTo(forest.sample(x.row(i)));
    }
  }

  /** No bytes whatever make a forest that runs in circles or out of its arrays. */
  @Test
  void damagedBytesAreRefusedOrHarmless() {
    SplittableRandom first = new SplittableRandom(6);
    Rows x = rows(first, 60, 2);
    byte[] bytes = bytes(Forest.grow(x, labels(x, row -> row[0]), ForestSettings.of(3, 1)));
    Seeds.each(
        300,
        (random, _) -> {
          byte[] damaged = Arrays.copyOf(bytes, random.nextInt(4) > 0 ? bytes.length : 100);
          damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
          Forest forest;
          try {
            forest = Forest.read(ByteBuffer.wrap(damaged));
          } catch (IllegalArgumentException e) {
            return;
          }
          double[] row = new double[forest.width()];
          assertThat(forest.sample(row)).hasSize(forest.trees());
        });
  }

  /**
   * Uniform labels around the row's first feature: four in five lie within the interval, if leaves
   * are not so small that splits follow the noise.
   */
  @Test
  void quantilesCoverWhatTheySay() {
    SplittableRandom random = new SplittableRandom(7);
    ToDoubleFunction<double[]> label = row -> 3 * row[0] + row[1] * random.nextDouble(-1, 1);
    Rows x = rows(random, 5000, 2);
    Forest forest = Forest.grow(x, labels(x, label), new ForestSettings(100, 20, 1, 1));
    Rows tested = rows(random, 2000, 2);
    double[] truth = labels(tested, label);
    int inside = 0;
    double narrow = 0;
    double wide = 0;
    for (int i = 0; i < truth.length; i++) {
      double[] sample = forest.sample(tested.row(i));
      inside += sample[10] <= truth[i] && truth[i] <= sample[89] ? 1 : 0;
      double length = sample[89] - sample[10];
      narrow += tested.at(i, 1) < 0.2 ? length : 0;
      wide += tested.at(i, 1) > 0.8 ? length : 0;
    }
    assertThat(inside / 2000.0).isBetween(0.74, 0.86);
    assertThat(wide).isGreaterThan(3 * narrow);
  }

  @Test
  void oddInputs() {
    Rows one = new Rows(new double[] {4, Double.NaN}, 2);
    Forest single = Forest.grow(one, new double[] {3}, ForestSettings.of(2, 1));
    assertThat(single.mean(new double[] {9, 9})).isEqualTo(3);
    Rows x = rows(new SplittableRandom(8), 3000, 2);
    double[] constant = new double[3000];
    Arrays.fill(constant, 0.1);
    Forest flat = Forest.grow(x, constant, ForestSettings.of(3, 1));
    assertThat(flat.nodes()).isEqualTo(3);
    assertThat(flat.mean(new double[] {0, 1})).isCloseTo(0.1, within(1e-15));
    // No feature tells anything: the mean of each sample.
    Forest blind = Forest.grow(new Rows(new double[3000], 1), column(x), ForestSettings.of(3, 1));
    assertThat(blind.nodes()).isEqualTo(3);
    assertThat(blind.mean(new double[] {1})).isCloseTo(0.5, within(0.05));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Forest.grow(new Rows(new double[0], 2), new double[0], ForestSettings.of(1, 1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            Forest.grow(one, new double[] {Double.POSITIVE_INFINITY}, ForestSettings.of(1, 1)));
    assertThatIllegalArgumentException().isThrownBy(() -> new ForestSettings(1, 2, 0, 1));
  }

  private static double[] column(Rows rows) {
    double[] column = new double[rows.size()];
    Arrays.setAll(column, i -> rows.at(i, 0));
    return column;
  }
}
