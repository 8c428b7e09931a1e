package io.ringmaster.predictor.forest;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BinsTest {
  private static int[] bins(double... column) {
    Bins bins = new Bins(new Rows(column, 1));
    int[] out = new int[column.length];
    Arrays.setAll(out, i -> bins.bins()[i] & 0xff);
    return out;
  }

  @Test
  void fewValuesHaveABinEach() {
    assertThat(bins(3, 1, 1, 2, Double.NaN, 3)).containsExactly(3, 1, 1, 2, 0, 3);
    assertThat(bins(-0.0, 0.0)).containsExactly(1, 1);
    assertThat(bins(Double.NaN, Double.NaN)).containsExactly(0, 0);
    assertThat(bins(Double.NEGATIVE_INFINITY, 0, Double.POSITIVE_INFINITY)).isSorted();
    // No number lies between: the edge is the lower one.
    assertThat(bins(1, Math.nextUp(1.0))).containsExactly(1, 2);
  }

  @Test
  void edgesLieBetweenNeighbours() {
    Bins bins = new Bins(new Rows(new double[] {1, 3, 10}, 1));
    assertThat(bins.count(0)).isEqualTo(4);
    assertThat(bins.edge(0, 1)).isEqualTo(2);
    assertThat(bins.edge(0, 2)).isEqualTo(6.5);
  }

  /** Rows without ties: no bin has over twice its part. A value of half of all rows is alone. */
  @Test
  void manyValuesShareBinsEvenly() {
    Seeds.each(
        20,
        (random, _) -> {
          int n = 1000 + random.nextInt(20_000);
          double[] column = random.doubles(n).toArray();
          int[] counts = counts(bins(column));
          assertThat(counts[0]).isZero();
          assertThat(counts.length).isEqualTo(Bins.MOST);
          assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThanOrEqualTo(2 * n / 254);
          for (int i = 0; i < n / 2; i++) {
            column[i] = 0.5;
          }
          int[] withTies = bins(column);
          int tie = withTies[0];
          for (int i = n / 2; i < n; i++) {
            assertThat(withTies[i]).isNotEqualTo(tie);
          }
          assertThat(counts(withTies).length).isGreaterThan(240);
        });
  }

  @Test
  void orderIsKept() {
    Seeds.each(
        20,
        (random, _) -> {
          int n = 2000;
          double[] column = random.ints(n, 0, 10 + random.nextInt(2000)).asDoubleStream().toArray();
          int[] bins = bins(column);
          for (int i = 1; i < n; i++) {
            if (column[i] < column[i - 1]) {
              assertThat(bins[i]).isLessThanOrEqualTo(bins[i - 1]);
            }
            if (column[i] == column[i - 1]) {
              assertThat(bins[i]).isEqualTo(bins[i - 1]);
            }
          }
        });
  }

  private static int[] counts(int[] bins) {
    int[] counts = new int[Arrays.stream(bins).max().orElseThrow() + 1];
    for (int bin : bins) {
      counts[bin]++;
    }
    return counts;
  }
}
