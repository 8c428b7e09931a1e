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
          List<String> decided = decisions(seed, new Stage());
          List<String> decidedUnset = decisions(seed, unset);
          int same = Math.min(untilRounding(decided), untilRounding(decidedUnset));
          assertThat(decided.subList(0, same)).isEqualTo(decidedUnset.subList(0, same));
        });
  }

  /**
   * A policy by attained service stops a job when its GPU-seconds cross a bound. At which step that
   * is may hang on a rounding of the time, and from there on two worlds may part.
   */
  private static int untilRounding(List<String> decisions) {
    return (int) decisions.stream().takeWhile(line -> !line.contains(": las stopped it")).count();
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
