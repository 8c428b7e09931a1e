package io.ringmaster.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TurnTest {
  private static final Offset<Double> EXACT = within(1e-6);

  /** Turns are at 0.5, 2.5, 4.5, ... seconds. */
  @ParameterizedTest
  @CsvSource({
    "100000, 0.5, 0.5",
    "100400, 0.1, 0.1",
    "100499, 0.001, 0.001",
    "100500, 0, 0",
    "100599, 0, 0",
    "100601, 1.899, 0",
    "101400, 1.1, 0",
    "101600, 0.9, 0.9",
    "102000, 0.5, 0.5"
  })
  void aWorkerWaitsForItsNextTurnUnlessOneHasBegun(long millis, double first, double later) {
    Turn turn = new Turn(2, 0.5);
    assertThat(turn.waitSeconds(Instant.ofEpochMilli(millis), true)).isCloseTo(first, EXACT);
    assertThat(turn.waitSeconds(Instant.ofEpochMilli(millis), false)).isCloseTo(later, EXACT);
  }

  /** Today's clock has nine digits before the point: what is left must be exact all the same. */
  @Test
  void turnsOfRingsOfOnePeriodStayApart() {
    Instant now = Instant.parse("2026-11-18T20:00:00.123456Z");
    double first = new Turn(0.344, 0).waitSeconds(now, true);
    double second = new Turn(0.344, 0.172).waitSeconds(now, true);
    double apart = Math.abs(second - first) % 0.344;
    assertThat(apart).isCloseTo(0.172, within(0.0001));
  }

  @Test
  void whoHasNoTurnDoesNotWait() {
    assertThat(Turn.of(null)).isNull();
    assertThat(Turn.of("")).isNull();
    assertThat(Turn.of("0.344,0.172")).isEqualTo(new Turn(0.344, 0.172));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0,0", "1,1", "1,-1", "NaN,0", "a,b", "1,0.5,2", "1e999,0"})
  void aTurnThatMakesNoSenseIsRefused(String text) {
    assertThatThrownBy(() -> Turn.of(text))
        .isInstanceOf(BadOption.class)
        .hasMessage(
            "RINGMASTER_TURN: '"
                + text
                + "' is not a period above 0 and an offset below it, in seconds, as in"
                + " 0.344,0.172");
  }
}
