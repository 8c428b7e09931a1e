package io.ringmaster.experiments.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HeavyEdgeGapsTest {
  private static final int JOBS = 60;
  private static List<Row> rows = List.of();

  @BeforeAll
  static void run() {
    rows = HeavyEdgeGaps.rows(JOBS, 2, _ -> {});
  }

  private static double figure(Map<String, Object> setting, String policy, String metric) {
    return rows.stream()
        .filter(row -> row.setting().equals(setting))
        .filter(row -> row.policy().equals(policy) && row.metric().equals(metric))
        .map(row -> row.figure().mean())
        .findFirst()
        .orElseThrow();
  }

  private static List<Map<String, Object>> settings() {
    return rows.stream().map(Row::setting).distinct().toList();
  }

  @Test
  void theSameJobsGiveTheSameRows() {
    assertThat(HeavyEdgeGaps.rows(5, 2, _ -> {})).isEqualTo(HeavyEdgeGaps.rows(5, 1, _ -> {}));
    assertThat(settings()).hasSize(3 * 3);
    assertThat(rows).hasSize(settings().size() * 6 * 3);
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
    assertThat(rows)
        .filteredOn(row -> row.metric().endsWith("over_exact"))
        .allMatch(row -> row.figure().mean() >= 1 - 1e-9);
  }

  @Test
  void swapsNeverHurtAndChanceIsWorst() {
    for (Map<String, Object> setting : settings()) {
      for (String metric : List.of("time_over_exact", "worst_over_exact")) {
        assertThat(figure(setting, "heavy-edge-swapped", metric))
            .isLessThanOrEqualTo(figure(setting, "heavy-edge", metric) + 1e-9);
        assertThat(figure(setting, "refined", metric))
            .isLessThanOrEqualTo(figure(setting, "heavy-edge-swapped", metric) + 1e-9);
      }
      assertThat(figure(setting, "refined", "time_over_exact")).isLessThan(1.1);
      assertThat(figure(setting, "random", "time_over_exact"))
          .isGreaterThan(figure(setting, "heavy-edge", "time_over_exact"));
    }
  }
}
