package io.ringmaster.model.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RanksTest {
  @Test
  void byHand() {
    double[] values = {9, 5, 3, 1, 4, 7};
    assertThat(Ranks.at(values, 0, 6, 0, 2, 2, 5)).containsExactly(1, 4, 4, 9);
    assertThat(Ranks.at(values, 1, 4, 1)).containsExactly(3);
    assertThat(values).containsExactly(9, 5, 3, 1, 4, 7);
  }

  @Test
  void equalsSorting() {
    Seeds.each(
        60,
        (random, _) -> {
          double[] values = new double[1 + random.nextInt(30_000)];
          int kind = random.nextInt(6);
          Arrays.setAll(values, _ -> value(random, kind));
          int from = random.nextInt(values.length);
          int to = from + 1 + random.nextInt(values.length - from);
          int[] ranks = new int[random.nextInt(40)];
          Arrays.setAll(ranks, _ -> random.nextInt(to - from));
          Arrays.sort(ranks);
          double[] sorted = Arrays.copyOfRange(values, from, to);
          Arrays.sort(sorted);
          assertThat(Ranks.at(values, from, to, ranks))
              .isEqualTo(Arrays.stream(ranks).mapToDouble(rank -> sorted[rank]).toArray());
        });
  }

  private static double value(RandomGenerator random, int kind) {
    return switch (kind) {
      case 0 -> random.nextDouble();
      case 1 -> random.nextInt(3);
      case 2 -> Math.exp(40 * random.nextGaussian());
      case 3 -> random.nextInt(100) == 0 ? 1e300 : 1 + 1e-12 * random.nextInt(10_000);
      case 4 -> random.nextGaussian();
      default -> random.nextInt(50) == 0 ? Double.NaN : random.nextInt(2) * -0.0;
    };
  }
}
