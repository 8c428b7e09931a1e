package io.ringmaster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.bench.Ranges.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

class RangesTest {
  private static final Ranges RANGES =
      new Ranges(List.of(new Range("cpu_over_kernel", 20_000, null, 2)));

  @Test
  void aValueIsBrokenOnlyIfThatIsCertain() {
    List<Measure> certain = measured(new Spread(2.5, 2.1, 3));
    List<Measure> doubtful = measured(new Spread(2.5, 1.9, 3));
    List<Measure> within = measured(new Spread(1.9, 1.8, 3));

    assertThat(RANGES.broken(certain, 1))
        .containsExactly(
            "cpu_over_kernel, 20,000 jobs, fifo: 2.500 (2.100 to 3.000), at most 2.000 allowed");
    assertThat(RANGES.doubtful(certain, 1)).isEmpty();
    assertThat(RANGES.broken(doubtful, 1)).isEmpty();
    assertThat(RANGES.doubtful(doubtful, 1)).hasSize(1);
    assertThat(RANGES.broken(within, 1)).isEmpty();
    assertThat(RANGES.doubtful(within, 1)).isEmpty();
  }

  @Test
  void farOffIsSoManyTimesTheLimit() {
    assertThat(RANGES.broken(measured(new Spread(2.5, 2.1, 3)), 1.5)).isEmpty();
  }

  @Test
  void whatIsNoNumberIsBroken() {
    assertThat(RANGES.broken(measured(new Spread(Double.NaN, Double.NaN, Double.NaN)), 1))
        .hasSize(1);
  }

  private static List<Measure> measured(Spread spread) {
    return List.of(new Measure("cpu_over_kernel", 20_000, "fifo", spread));
  }
}
