package io.ringmaster.experiments.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.experiments.Figures;
import io.ringmaster.experiments.Plot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HeavyEdgeGapsTest {
  private static final int DRAWS = 3;
  private static Figures figures = new Figures(List.of());

  @BeforeAll
  static void run() {
    figures = new Figures(new HeavyEdgeGaps().run(DRAWS, 2, _ -> {}).rows());
  }

  @Test
  void theSameJobsGiveTheSameRows() {
    assertThat(new HeavyEdgeGaps().run(1, 2, _ -> {}))
        .isEqualTo(new HeavyEdgeGaps().run(1, 1, _ -> {}));
    assertThat(figures.settings()).hasSize(3 * 3);
    assertThat(figures.rows()).hasSize(figures.settings().size() * 6 * 3);
  }

  @Test
  void plotsHaveALineForEachRule() {
    List<Plot> plots = new HeavyEdgeGaps().run(1, 1, _ -> {}).plots();
    assertThat(plots).hasSize(3 * 3);
    for (Plot plot : plots) {
      assertThat(plot.series()).hasSize(6).allMatch(s -> s.points().size() == 3);
    }
  }

  @Test
  void noneIsBetterThanTheBest() {
    assertThat(figures.rows())
        .filteredOn(row -> row.metric().endsWith("over_exact"))
        .allMatch(row -> row.figure().mean() >= 1 - 1e-9);
  }

  @Test
  void swapsNeverHurtAndChanceIsWorst() {
    for (Map<String, Object> setting : figures.settings()) {
      for (String metric : List.of("time_over_exact", "worst_over_exact")) {
        assertThat(figures.mean(setting, "heavy-edge-swapped", metric))
            .isLessThanOrEqualTo(figures.mean(setting, "heavy-edge", metric) + 1e-9);
        assertThat(figures.mean(setting, "refined", metric))
            .isLessThanOrEqualTo(figures.mean(setting, "heavy-edge-swapped", metric) + 1e-9);
      }
      assertThat(figures.mean(setting, "refined", "time_over_exact")).isLessThan(1.1);
      assertThat(figures.mean(setting, "random", "time_over_exact"))
          .isGreaterThan(figures.mean(setting, "heavy-edge", "time_over_exact"));
    }
  }
}
