package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BinsTest {
  /** Four bins of 10 s from 100 on. Three GPUs from 105 to 125: half of the first, all, half. */
  @Test
  void aMeanCountsHowMuchOfItsSpanIsCovered() {
    Bins bins = new Bins(100, 140, 4);
    bins.add(105, 125, 3);
    assertThat(bins.width()).isEqualTo(10);
    assertThat(bins.means()).containsExactly(new double[] {1.5, 3, 1.5, 0}, within(1e-9));
    bins.add(132, 133, 10);
    assertThat(bins.means()).containsExactly(new double[] {1.5, 3, 1.5, 1}, within(1e-9));
  }

  @Test
  void whatIsOutsideIsLeftOut() {
    Bins bins = new Bins(0, 10, 2);
    bins.add(-5, 5, 2);
    bins.add(7.5, 100, 4);
    bins.add(20, 30, 8);
    assertThat(bins.means()).containsExactly(new double[] {2, 2}, within(1e-9));
  }

  @Test
  void sumsAreKept() {
    Seeds.each(
        200,
        (random, _) -> {
          int count = 1 + random.nextInt(50);
          Bins bins = new Bins(0, 1000, count);
          double[] plain = new double[count];
          for (int i = 0; i < 100; i++) {
            double from = random.nextDouble(1000);
            double to = from + random.nextDouble(1000 - from);
            double value = random.nextInt(1, 9);
            bins.add(from, to, value);
            for (int b = 0; b < plain.length; b++) {
              double overlap =
                  Math.min(to, (b + 1) * bins.width()) - Math.max(from, b * bins.width());
              plain[b] += value * Math.max(0, overlap) / bins.width();
            }
          }
          assertThat(bins.means()).containsExactly(plain, within(1e-5));
          assertThat(Arrays.stream(plain).allMatch(v -> v >= 0)).isTrue();
        });
  }
}
