package io.ringmaster.experiments.doubling;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AllocationGapsTest {
  private static final int DRAWS = 100;
  private static List<Row> rows = List.of();

  @BeforeAll
  static void run() {
    rows = AllocationGaps.rows(DRAWS, 2, _ -> {});
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
  void theSameDrawsGiveTheSameRows() {
    assertThat(AllocationGaps.rows(DRAWS, 2, _ -> {})).isEqualTo(rows);
    assertThat(settings()).hasSize(3 * 3 * 2);
    assertThat(rows).hasSize(settings().size() * 4 * 2);
  }

  @Test
  void plotsHaveALineForEachRule() {
    List<Plot> plots = new AllocationGaps().run(1, 1, _ -> {}).plots();
    assertThat(plots).hasSize(2 * 3 + 2);
    for (Plot plot : plots) {
      assertThat(plot.series()).hasSize(4).allMatch(s -> s.points().size() == 3);
    }
  }

  @Test
  void doublingIsWithinFivePercentOnAverage() {
    for (Map<String, Object> setting : settings()) {
      assertThat(figure(setting, "doubling", "time_over_exact"))
          .as("%s", setting)
          .isLessThanOrEqualTo(1.05);
    }
  }

  @Test
  void noneIsBetterThanTheBest() {
    assertThat(rows).allMatch(row -> row.figure().mean() >= 1 - 1e-12);
    for (Map<String, Object> setting : settings()) {
      for (String policy : List.of("doubling", "equal-share")) {
        assertThat(figure(setting, policy, "time_over_exact"))
            .isGreaterThanOrEqualTo(figure(setting, "exact-powers", "time_over_exact") - 1e-12);
      }
      assertThat(figure(setting, "doubling", "worst_over_exact"))
          .isGreaterThanOrEqualTo(figure(setting, "doubling", "time_over_exact"));
    }
  }

  /** One at a time is nearly the best with a ring, and stalls where odd numbers are slow. */
  @Test
  void oneAtATimeStallsWhereTheNextNumberIsSlow() {
    for (Map<String, Object> setting : settings()) {
      double optimus = figure(setting, "optimus", "time_over_exact");
      if ("ring".equals(setting.get("all_reduce"))) {
        assertThat(optimus).as("%s", setting).isLessThan(1.001);
      } else {
        double doubling = figure(setting, "doubling", "time_over_exact");
        assertThat(optimus).as("%s", setting).isGreaterThanOrEqualTo(doubling);
      }
    }
  }

  /** Each of the 20 jobs that runs has one of the 16 GPUs, whatever the rule. */
  @Test
  void withMoreJobsThanGpusThereIsNothingToChoose() {
    assertThat(rows)
        .filteredOn(row -> Objects.equals(row.setting().get("jobs"), 20))
        .filteredOn(row -> Objects.equals(row.setting().get("gpus"), 16))
        .allMatch(row -> row.figure().mean() == 1);
  }
}
