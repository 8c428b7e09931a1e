package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

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
}
