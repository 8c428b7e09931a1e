package io.ringmaster.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.workload.Draws;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NewcomersTest {
  private static final double DAY_SECONDS = 86_400;

  /** Two jobs that ended, and 60 that came since, one in a second. */
  private static Queues aMinuteOld() {
    Queues queues = new Queues();
    queues.ended("first", Queues.NOW - 60, 5).ended("second", Queues.NOW - 60, 7);
    for (int i = 0; i < 60; i++) {
      queues.waiting("w" + i, 1 + i % 8, Queues.NOW - 60 + i, 0, "");
    }
    return queues;
  }

  private static List<Newcomers.Arrival> drawn(Newcomers newcomers, long seed) {
    return newcomers.drawn(10 * DAY_SECONDS, new Draws(seed, 1));
  }

  @Test
  void aMinuteTellsOfTheNextMinuteAlone() {
    Newcomers newcomers = new Newcomers(aMinuteOld().on(1));
    assertThat(newcomers.reachSeconds()).isEqualTo(60);
    for (long seed = 0; seed < 20; seed++) {
      assertThat(drawn(newcomers, seed))
          .isNotEmpty()
          .allSatisfy(each -> assertThat(each.inSeconds()).isBetween(0.0, 60.0));
    }
    double mean =
        LongStream.range(0, 200)
            .mapToInt(seed -> drawn(newcomers, seed).size())
            .average()
            .orElse(0);
    assertThat(mean).isBetween(50.0, 65.0);
  }

  @Test
  void fromADayOnDaysAreRepeatedForAsLongAsIsLookedFor() {
    Queues queues = new Queues();
    for (int hour = 0; hour < 26; hour++) {
      queues.ended("h" + hour, Queues.NOW - 26 * 3600 + 3600 * hour, 60);
    }
    Newcomers newcomers = new Newcomers(queues.on(1));
    assertThat(newcomers.reachSeconds()).isInfinite();
    // 24 of them in each of ten days.
    assertThat(drawn(newcomers, 1)).hasSizeBetween(230, 240);
  }

  @Test
  void whereNoneEndedNobodyComes() {
    Newcomers newcomers = new Newcomers(new Queues().waiting("alone", 1).on(1));
    assertThat(drawn(newcomers, 1)).isEmpty();
    assertThat(newcomers.reachSeconds()).isZero();
  }

  @Test
  void whoLooksFurtherIsToldSo() {
    String note =
        "the past reaches back 1 min only, so jobs to come are drawn for as long ahead; if more"
            + " come and overtake, starts are later than said";
    Queues queues = aMinuteOld().running("long", 8, 50, Queues.NO_LIMIT, "s0001");
    assertThat(queues.advice("easy", 1).notes()).containsExactly(note);
    // Nobody who comes later starts before them there.
    assertThat(queues.advice("fifo", 1).notes()).isEmpty();
  }

  @Test
  void whoAsksUnderAPolicyThatStopsJobsIsToldWhatThatIsWorth() {
    Queues queues = aMinuteOld().running("long", 8, 50, Queues.NO_LIMIT, "s0001");
    assertThat(queues.advice("srsf", 1).notes())
        .last()
        .asString()
        .startsWith("do not count on starts under srsf");
  }
}
