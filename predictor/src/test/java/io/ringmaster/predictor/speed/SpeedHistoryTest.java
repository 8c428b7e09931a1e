package io.ringmaster.predictor.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Placement;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpeedHistoryTest {
  @Test
  void isThePriorUntilSomethingIsMeasured() {
    SpeedHistory history = history();
    assertThat(history.fit().seconds(4, 1, 4, 8)).isEqualTo(1);
    history.add(new StepTime(1, 1, 1, 8, 3));
    assertThat(history.fit().seconds(4, 1, 4, 8)).isCloseTo(3, within(1e-12));
    assertThat(history.fit()).isSameAs(history.fit());
    SpeedFit prior = history.fit();
    assertThat(new SpeedHistory(SpeedForm.PLACED, AllReduce.RING, prior).fit()).isSameAs(prior);
  }

  @Test
  void keepsAMeanForEachPlaceAndBatch() {
    SpeedHistory history = history();
    history.add(new StepTime(2, 1, 2, 8, 2));
    history.add(Placement.on(5, 2), 8, 6, 3);
    history.add(new StepTime(2, 2, 1, 8, 7));
    // (1 * 2 + 3 * 6) / 4 = 5
    assertThat(history.points())
        .containsExactly(new StepTime(2, 1, 2, 8, 5), new StepTime(2, 2, 1, 8, 7));
    assertThat(history.count()).isEqualTo(5);
    assertThat(history.distinctWorkers()).isEqualTo(1);
  }

  @Test
  void equalsAFitOfAllAtOnce() {
    Seeds.each(
        40,
        (random, _) -> {
          SpeedHistory history = history();
          List<StepTime> all = new ArrayList<>();
          int places = 1 + random.nextInt(8);
          for (int i = 0; i < 3 * places; i++) {
            int place = i % places;
            int servers = 1 + place / 5;
            int workers = servers << place % 5;
            StepTime time =
                new StepTime(
                    workers,
                    servers,
                    Math.ceilDiv(workers, servers),
                    8,
                    1 + 0.2 * workers + 0.1 * random.nextDouble());
            all.add(time);
            history.add(time);
            history.fit();
          }
          SpeedFit whole = SpeedFit.of(all, SpeedForm.PLACED, AllReduce.RING);
          for (int workers = 1; workers <= 32; workers *= 2) {
            double expected = whole.seconds(workers, 1, workers, 8);
            assertThat(history.fit().seconds(workers, 1, workers, 8))
                .isCloseTo(expected, within(1e-6 * expected));
          }
        });
  }

  private static SpeedHistory history() {
    return new SpeedHistory(SpeedForm.PLACED, AllReduce.RING);
  }
}
