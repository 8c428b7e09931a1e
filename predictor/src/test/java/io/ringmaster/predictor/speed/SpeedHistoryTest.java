package io.ringmaster.predictor.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.AllReduce;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpeedHistoryTest {
  @Test
  void isThePriorUntilSomethingIsMeasured() {
    SpeedHistory history = new SpeedHistory();
    assertThat(history.fit().seconds(4, 1, 4, 8)).isEqualTo(1);
    history.add(new StepTime(1, 1, 1, 8, 3));
    assertThat(history.fit().seconds(4, 1, 4, 8)).isCloseTo(3, within(1e-12));
    assertThat(history.fit()).isSameAs(history.fit());
  }

  @Test
  void keepsAMeanForEachPlaceAndBatch() {
    SpeedHistory history = new SpeedHistory();
    history.add(new StepTime(2, 1, 2, 8, 2));
    history.add(new StepTime(2, 1, 2, 8, 6));
    history.add(new StepTime(2, 1, 2, 8, 7));
    history.add(new StepTime(2, 2, 1, 8, 7));
    assertThat(history.points())
        .containsExactly(new StepTime(2, 1, 2, 8, 5), new StepTime(2, 2, 1, 8, 7));
  }

  @Test
  void equalsAFitOfAllAtOnce() {
    Seeds.each(
        40,
        (random, _) -> {
          SpeedHistory history = new SpeedHistory();
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
}
