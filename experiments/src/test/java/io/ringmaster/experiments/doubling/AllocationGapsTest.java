package io.ringmaster.experiments.doubling;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.experiments.Figures;
import io.ringmaster.experiments.Plot;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AllocationGapsTest {
  private static final int DRAWS = 5;
  private static Figures figures = new Figures(List.of());

  @BeforeAll
  static void run() {
    figures = new Figures(new AllocationGaps().run(DRAWS, 2, _ -> {}).rows());
  }

  @Test
  void theSameDrawsGiveTheSameRows() {
    assertThat(new AllocationGaps().run(DRAWS, 2, _ -> {}).rows()).isEqualTo(figures.rows());
    assertThat(figures.settings()).hasSize(3 * 3 * 2);
    assertThat(figures.rows()).hasSize(figures.settings().size() * 4 * 2);
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
    for (Map<String, Object> setting : figures.settings()) {
      assertThat(figures.mean(setting, "doubling", "time_over_exact"))
          .as("%s", setting)
          .isLessThanOrEqualTo(1.05);
    }
  }

  @Test
  void noneIsBetterThanTheBest() {
    assertThat(figures.rows()).allMatch(row -> row.figure().mean() >= 1 - 1e-12);
    for (Map<String, Object> setting : figures.settings()) {
      for (String policy : List.of("doubling", "equal-share")) {
        assertThat(figures.mean(setting, policy, "time_over_exact"))
            .isGreaterThanOrEqualTo(
                figures.mean(setting, "exact-powers", "time_over_exact") - 1e-12);
      }
      assertThat(figures.mean(setting, "doubling", "worst_over_exact"))
          .isGreaterThanOrEqualTo(figures.mean(setting, "doubling", "time_over_exact"));
    }
  }

  /** One at a time is nearly the best with a ring, and stalls where odd numbers are slow. */
  @Test
  void oneAtATimeStallsWhereTheNextNumberIsSlow() {
    for (Map<String, Object> setting : figures.settings()) {
      double optimus = figures.mean(setting, "optimus", "time_over_exact");
      if ("ring".equals(setting.get("all_reduce"))) {
        assertThat(optimus).as("%s", setting).isLessThan(1.001);
      } else {
        double doubling = figures.mean(setting, "doubling", "time_over_exact");
        assertThat(optimus).as("%s", setting).isGreaterThanOrEqualTo(doubling);
      }
    }
  }

  /** Each of the 20 jobs that runs has one of the 16 GPUs, whatever the rule. */
  @Test
  void withMoreJobsThanGpusThereIsNothingToChoose() {
    assertThat(figures.rows())
        .filteredOn(row -> Objects.equals(row.setting().get("jobs"), 20))
        .filteredOn(row -> Objects.equals(row.setting().get("gpus"), 16))
        .allMatch(row -> row.figure().mean() == 1);
  }
}
