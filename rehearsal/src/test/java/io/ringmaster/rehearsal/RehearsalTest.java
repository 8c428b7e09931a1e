package io.ringmaster.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

class RehearsalTest {
  private static final int WORLDS = 300;
  private static final int WORLDS_TWICE = 10;

  @Test
  void nothingIsViolatedInAnyWorld() {
    Seeds.each(
        WORLDS,
        (random, seed) -> {
          Rehearsal rehearsal = new Rehearsal(seed, new Stage(), 40);
          rehearsal
              .play()
              .ifPresent(violation -> {
                throw new AssertionError(
                    violation + "\n" + String.join("\n", rehearsal.trace().lines()));
              });
        });
  }

  @Test
  void thatTheClockIsSetChangesNoDecision() {
    Seeds.each(
        WORLDS_TWICE,
        (random, seed) -> {
          Stage unset =
              new Stage() {
                @Override
                double clockAheadSeconds(double aheadSeconds) {
                  return 0;
                }
              };
          assertThat(decisions(seed, new Stage())).isEqualTo(decisions(seed, unset));
        });
  }

  /** What was decided, in its order. When exactly a step was may differ by a rounding. */
  private static List<String> decisions(long seed, Stage stage) {
    Rehearsal rehearsal = new Rehearsal(seed, stage, Integer.MAX_VALUE);
    rehearsal.play();
    return rehearsal.trace().lines().stream()
        .filter(line -> line.contains("  store  "))
        .map(line -> line.replaceFirst(".*  store  ", "").replaceAll("at [0-9:]{8} UTC", "then"))
        .toList();
  }

  @Test
  void oneSeedIsOneWorld() {
    Seeds.each(
        3,
        (random, seed) -> {
          List<String> first = trace(seed);
          assertThat(first).hasSizeGreaterThan(50);
          assertThat(trace(seed)).isEqualTo(first);
        });
    assertThat(trace(1)).isNotEqualTo(trace(2));
  }

  private static List<String> trace(long seed) {
    Rehearsal rehearsal = new Rehearsal(seed, new Stage(), Integer.MAX_VALUE);
    rehearsal.play();
    return rehearsal.trace().lines();
  }
}
