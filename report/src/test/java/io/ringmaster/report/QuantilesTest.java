package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuantilesTest {
  /** 1 to 1000: half are below 501, 95 % below 951, all but one below 1000. */
  @Test
  void byHand() {
    double[] values = IntStream.rangeClosed(1, 1000).mapToDouble(i -> 1001 - i).toArray();
    var quantiles = Quantiles.of("x", values);
    double[] at = quantiles.value();
    List<Double> shares = quantiles.share();
    assertThat(at).hasSize(shares.size()).isSorted();
    assertThat(at[shares.indexOf(0.0)]).isEqualTo(1);
    assertThat(at[shares.indexOf(0.5)]).isEqualTo(501);
    assertThat(at[shares.indexOf(0.95)]).isEqualTo(951);
    assertThat(at[shares.indexOf(1.0)]).isEqualTo(1000);
    assertThat(values[0]).isEqualTo(1000);
  }

  @Test
  void aSelectedValueIsTheSortedOne() {
    Seeds.each(
        200,
        (random, _) -> {
          double[] values = random.doubles(1 + random.nextInt(60)).toArray();
          for (int i = 0; i < values.length; i++) {
            values[i] = random.nextBoolean() ? 7 : values[i];
          }
          int from = random.nextInt(values.length);
          int to = from + 1 + random.nextInt(values.length - from);
          int place = from + random.nextInt(to - from);
          double[] sorted = values.clone();
          Arrays.sort(sorted, from, to);
          assertThat(GroupTable.select(values, from, to, place)).isEqualTo(sorted[place]);
        });
  }
}
