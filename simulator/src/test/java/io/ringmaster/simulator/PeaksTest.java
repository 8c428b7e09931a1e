package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeaksTest {
  /** Thing 0: 2 from 0, 5 from 3, 3 from 4; thing 1: only 1 at a time. */
  @Test
  void theMostHeldAtATimeAndWhenFirst() {
    Peaks peaks = new Peaks();
    peaks.add(0, 0, 4, 2);
    peaks.add(0, 3, 9, 3);
    peaks.add(1, 7, 8, 1);
    peaks.add(1, 2, 7, 1);
    assertThat(peaks.of(3))
        .containsExactly(new Peaks.Peak(5, 3), new Peaks.Peak(1, 2), new Peaks.Peak(0, 0));
  }

  @Test
  void whatEndsMakesRoomForWhatBeginsAtThatMoment() {
    Peaks peaks = new Peaks();
    peaks.add(0, 5, 9, 4);
    peaks.add(0, 0, 5, 4);
    peaks.add(0, 5, 5, 4);
    assertThat(peaks.of(1)).containsExactly(new Peaks.Peak(4, 0));
  }

  @Test
  void roundingIsNoExcess() {
    Peaks peaks = new Peaks();
    for (int i = 0; i < 10; i++) {
      peaks.add(0, 0, 1, 0.1);
    }
    peaks.add(1, 0, 1, 1.001);
    Peaks.Peak[] found = peaks.of(2);
    assertThat(found[0].exceeds(1)).isFalse();
    assertThat(found[1].exceeds(1)).isTrue();
    assertThat(found[1].exceeds(Double.POSITIVE_INFINITY)).isFalse();
  }

  @Test
  void isTheMostAtAnyBeginning() {
    Seeds.each(
        200,
        (random, _) -> {
          record Span(int thing, int from, int to, int amount) {}
          List<Span> spans = new ArrayList<>();
          Peaks peaks = new Peaks();
          for (int i = 0; i < random.nextInt(80); i++) {
            int from = random.nextInt(20);
            Span span =
                new Span(random.nextInt(3), from, from + random.nextInt(10), random.nextInt(5));
            spans.add(span);
            peaks.add(span.thing, span.from, span.to, span.amount);
          }
          Peaks.Peak[] found = peaks.of(3);
          for (int thing = 0; thing < 3; thing++) {
            Peaks.Peak most = new Peaks.Peak(0, 0);
            for (int moment = 0; moment < 30; moment++) {
              int held = 0;
              for (Span span : spans) {
                boolean there = span.from <= moment && moment < span.to;
                held += there && span.thing == thing ? span.amount : 0;
              }
              most = held > most.amount() ? new Peaks.Peak(held, moment) : most;
            }
            assertThat(found[thing]).isEqualTo(most);
          }
        });
  }
}
