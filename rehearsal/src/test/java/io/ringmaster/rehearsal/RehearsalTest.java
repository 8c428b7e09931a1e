package io.ringmaster.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

class RehearsalTest {
  private static final int WORLDS = 300;

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
