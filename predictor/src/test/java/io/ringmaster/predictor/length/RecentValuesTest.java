package io.ringmaster.predictor.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentValuesTest {
  @Test
  void quantilesAreThoseOfTheLastValues() {
    Seeds.each(
        50,
        (random, _) -> {
          int window = 1 + random.nextInt(20);
          RecentValues recent = new RecentValues(window);
          List<Double> all = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            double value = random.nextInt(30);
            all.add(value);
            recent.add(value);
            List<Double> last =
                all.subList(Math.max(0, all.size() - window), all.size()).stream()
                    .sorted()
                    .toList();
            int n = last.size();
            assertThat(recent.count()).isEqualTo(n);
            assertThat(recent.last()).isEqualTo(value);
            assertThat(recent.median()).isEqualTo((last.get((n - 1) / 2) + last.get(n / 2)) / 2);
            for (int rank = 1; rank <= n; rank++) {
              assertThat(recent.ranked(rank)).isEqualTo(last.get(rank - 1));
            }
            assertThat(recent.ranked(n + 1)).isEqualTo(last.getLast());
          }
        });
  }

  /** Logs 1, 2, 6: mean 3, squares 4 + 1 + 9 = 14 over two. */
  @Test
  void aHistoryHasMeanSpreadMedianAndLast() {
    History history = new History(2);
    history.add(10, 1, 100);
    assertThat(history.logSpread()).isNaN();
    history.add(20, 2, 110);
    history.add(60, 6, 130);
    assertThat(history.count()).isEqualTo(3);
    assertThat(history.meanLength()).isCloseTo(30, within(1e-12));
    assertThat(history.logMean()).isCloseTo(3, within(1e-12));
    assertThat(history.logSpread()).isCloseTo(Math.sqrt(7), within(1e-12));
    // Of the last two.
    assertThat(history.logMedian()).isEqualTo(4);
    assertThat(history.logLast()).isEqualTo(6);
    assertThat(history.lastEndSeconds()).isEqualTo(130);
  }
}
