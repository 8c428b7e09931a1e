package io.ringmaster.training;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a ring is to exchange, so that it does not meet others on its links: every period, an offset
 * after the whole periods since 1970. All workers of all rings go by the clocks of their nodes.
 */
record Turn(double periodSeconds, double offsetSeconds) {
  static final String VARIABLE = "RINGMASTER_TURN";

  /**
   * Who is no later than this share of a period goes at once, since waiting for the next turn would
   * cost the rest of it. The slack of a period brings it back to its turn.
   */
  private static final double LATE = 0.5;

  /** The same for the first exchange: it waits, so that the others follow in turn. */
  private static final double FIRST_LATE = 0.05;

  /** From {@code PERIOD,OFFSET} in seconds, as in {@code 0.344,0.172}; null without. */
  static @Nullable Turn of(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return null;
    }
    String[] parts = text.split(",", -1);
    try {
      Turn turn = new Turn(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
      if (parts.length == 2 && turn.makesSense()) {
        return turn;
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      // Told below.
    }
    throw new BadOption(
        VARIABLE
            + ": '"
            + text
            + "' is not a period above 0 and an offset below it, in seconds, as in 0.344,0.172");
  }

  private boolean makesSense() {
    return periodSeconds < Double.POSITIVE_INFINITY
        && offsetSeconds >= 0
        && offsetSeconds < periodSeconds;
  }

  /** Seconds from now to the next turn; 0 if one has begun not long ago. */
  double waitSeconds(Instant now, boolean isFirst) {
    double since = now.getEpochSecond() % periodSeconds + now.getNano() * 1e-9 - offsetSeconds;
    double into = since - Math.floor(since / periodSeconds) * periodSeconds;
    return into <= (isFirst ? FIRST_LATE : LATE) * periodSeconds ? 0 : periodSeconds - into;
  }
}
