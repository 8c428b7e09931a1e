package io.ringmaster.testing;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a check over many seeds. A failure names its seed; {@code -Dringmaster.seed=N} runs that one
 * alone.
 */
public final class Seeds {
  private Seeds() {}

  /** What is to hold for every seed. */
  @FunctionalInterface
  public interface Check {
    void of(RandomGenerator random, long seed);
  }

  public static void each(int count, Check check) {
    @Nullable Long only = Long.getLong("ringmaster.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? count : only;
    for (long seed = first; seed <= last; seed++) {
      try {
        check.of(new SplittableRandom(seed), seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed %d (replay: -Dringmaster.seed=%d): %s".formatted(seed, seed, e), e);
      }
    }
  }
}
