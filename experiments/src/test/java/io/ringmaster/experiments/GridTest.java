package io.ringmaster.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.simulator.Statistics;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GridTest {
  private static final Grid<String, String> GRID =
      new Grid<>(List.of("a", "bb", "a"), (cell, draw) -> cell.repeat(draw));

  @Test
  void everyCellHasItsDrawsInOrderWhateverTheThreads() {
    for (int threads = 1; threads <= 4; threads++) {
      Outcomes<String, String> outcomes = GRID.run(3, threads, _ -> {});
      assertThat(outcomes.cells(_ -> true)).containsExactly("a", "bb");
      assertThat(outcomes.values("a", String::length)).containsExactly(1, 2, 3);
      assertThat(outcomes.values("bb", String::length)).containsExactly(2, 4, 6);
    }
  }

  @Test
  void equalCellsRunOnce() {
    AtomicInteger runs = new AtomicInteger();
    new Grid<>(List.of("a", "a"), (_, _) -> runs.incrementAndGet()).run(5, 2, _ -> {});
    assertThat(runs).hasValue(5);
  }

  @Test
  void someCellsMayHaveFewerDraws() {
    Grid<String, String> fewer = GRID.withAtMost(cell -> cell.equals("a") ? 1 : 5);
    assertThat(fewer.run(3, 2, _ -> {}).values("a", String::length)).containsExactly(1);
    assertThat(fewer.run(3, 2, _ -> {}).values("bb", String::length)).containsExactly(2, 4, 6);
    assertThat(fewer.steps(3)).isEqualTo(4);
  }

  @Test
  void progressEndsAtTheNumberOfSteps() {
    AtomicLong done = new AtomicLong();
    GRID.counting(String::length).run(4, 3, now -> done.accumulateAndGet(now, Math::max));
    assertThat(done).hasValue(12);
    assertThat(GRID.counting(String::length).steps(4)).isEqualTo(12);
    assertThat(GRID.steps(4)).isEqualTo(8);
  }

  /** Ratios are taken draw by draw: 2/1, 4/2, 6/3. */
  @Test
  void figuresAreOverTheDraws() {
    Outcomes<String, String> outcomes = GRID.run(3, 2, _ -> {});
    assertThat(outcomes.over("bb", String::length))
        .isEqualTo(Statistics.of(new double[] {2, 4, 6}));
    assertThat(outcomes.ratio("bb", "a", String::length)).isEqualTo(new Statistics(2, 0));
  }

  @Test
  void whatWasNotRunIsSaid() {
    Outcomes<String, String> outcomes = GRID.run(1, 1, _ -> {});
    assertThat(outcomes.has("a")).isTrue();
    assertThat(outcomes.has("c")).isFalse();
    assertThatThrownBy(() -> outcomes.values("c", String::length)).hasMessage("never run: c");
  }
}
