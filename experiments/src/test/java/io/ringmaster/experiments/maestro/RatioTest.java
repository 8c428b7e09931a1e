package io.ringmaster.experiments.maestro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Row;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class RatioTest {
  private static final Map<String, Object> SETTING = Map.of("experiment", "none");
  private static final Quantity OWN = figures("own", 1, 2, 6);

  /** The figure of draw i is the i-th number. */
  private record Listed(List<Double> figures) implements Trial {
    @Override
    public double[] run(long seed) {
      double figure = figures.get((int) (seed - 20_001));
      return new double[] {figure, -figure};
    }

    @Override
    public KnownLengths lengths() {
      return KnownLengths.KNOWN;
    }
  }

  private static Quantity figures(String name, double... figures) {
    return Quantity.of(name, new Listed(DoubleStream.of(figures).boxed().toList()));
  }

  private static Row row(Ratio ratio, int draws) {
    return ratio.row(Ratio.grid(List.of(ratio), Map.of()).run(draws, 2, _ -> {}), draws);
  }

  @Test
  void meanOfTheRatiosOfDraws() {
    Row row = row(new Ratio(SETTING, Metric.TO_SEED, OWN, List.of(figures("seed", 2, 2, 2))), 3);
    assertThat(row.figure()).isEqualTo(Statistics.of(new double[] {0.5, 1, 3}));
    assertThat(row.setting()).isEqualTo(SETTING);
    assertThat(row.policy()).isEqualTo("own");
    assertThat(row.metric()).isEqualTo("ratio_to_seed");
    assertThat(row.paper()).isNull();
  }

  /**
   * 9 over 12; draws are 1, 2, 6 and 4, 4, 4, so the interval is a quarter of that of the first.
   */
  @Test
  void ratioOfMeans() {
    Row row =
        row(new Ratio(SETTING, Metric.OF_MEANS_TO_SEED, OWN, List.of(figures("seed", 4, 4, 4))), 3);
    assertThat(row.figure().mean()).isCloseTo(0.75, within(1e-12));
    assertThat(row.figure().ci95())
        .isCloseTo(Statistics.of(new double[] {1, 2, 6}).ci95() / 4, within(1e-12));
  }

  /** If one is a multiple of the other in every draw there is nothing to be unsure of. */
  @Test
  void ratioOfMeansOfProportionalDrawsHasNoInterval() {
    Row row =
        row(
            new Ratio(SETTING, Metric.OF_MEANS_TO_SEED, OWN, List.of(figures("seed", 2, 4, 12))),
            3);
    assertThat(row.figure().mean()).isCloseTo(0.5, within(1e-12));
    assertThat(row.figure().ci95()).isCloseTo(0, within(1e-12));
  }

  /** Not the one that is better in most draws. */
  @Test
  void bestInTheMeanIsNamed() {
    Quantity steady = figures("steady", 3, 3, 3);
    Quantity erratic = figures("erratic", 1, 1, 10);
    Ratio least = new Ratio(SETTING, Metric.TO_BEST_BASELINE, OWN, List.of(erratic, steady));
    assertThat(row(least, 3).setting())
        .isEqualTo(Map.of("experiment", "none", "baseline", "steady"));
    assertThat(row(least, 3).figure().mean()).isCloseTo(1, within(1e-12));
    assertThat(row(least.whereMoreIsBetter(), 3).setting()).containsEntry("baseline", "erratic");
    assertThat(row(least.onAtMost(2), 3).setting()).containsEntry("baseline", "erratic");
  }

  @Test
  void aQuantityIsOneOfSeveralFigures() {
    Quantity second = new Quantity("own", OWN.trial(), 1);
    Ratio ratio = new Ratio(SETTING, Metric.TO_BOUND, second, List.of(OWN));
    assertThat(row(ratio, 3).figure()).isEqualTo(new Statistics(-1, 0));
    assertThat(Ratio.grid(List.of(ratio), Map.of()).steps(3)).isEqualTo(3);
  }

  private record Noting(List<Long> seeds) implements Trial {
    @Override
    public double[] run(long seed) {
      seeds.add(seed);
      return new double[] {1};
    }

    @Override
    public KnownLengths lengths() {
      return KnownLengths.KNOWN;
    }
  }

  /** Seeds from 10,001 on, once each, and no more than the ratio takes that takes the most. */
  @Test
  void drawsAreFresh() {
    List<Long> seeds = Collections.synchronizedList(new ArrayList<>());
    Quantity noting = Quantity.of("noting", new Noting(seeds));
    Ratio all = new Ratio(SETTING, Metric.TO_SEED, noting, List.of(noting));
    Outcomes<Trial, double[]> outcomes =
        Ratio.grid(List.of(all.onAtMost(2), all, all.onAtMost(1)), Map.of()).run(4, 2, _ -> {});
    assertThat(seeds).containsExactlyInAnyOrder(20_001L, 20_002L, 20_003L, 20_004L);
    assertThat(outcomes.values(noting.trial(), figures -> figures[0])).hasSize(4);
    seeds.clear();
    Ratio.grid(List.of(all.onAtMost(2), all.onAtMost(1)), Map.of()).run(4, 2, _ -> {});
    assertThat(seeds).containsExactlyInAnyOrder(20_001L, 20_002L);
  }
}
