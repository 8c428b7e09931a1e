package io.ringmaster.control.retention;

import io.ringmaster.control.engine.Engine.Kept;
import java.util.Map;

/**
 * How long after the end of a job what is kept of it. Infinite: for ever.
 *
 * @param historySeconds the job itself and its history. It stays as long as any of its files does
 * @param fileSeconds of each kind
 */
public record Retention(double historySeconds, Map<Kept, Double> fileSeconds) {
  private static final double DAY = 86_400;

  /**
   * What a site can leave: a year of history, a month of logs. Work folders and checkpoints are
   * what users' jobs were run for, so only a site itself can say when they may go.
   */
  public static final Retention USUAL =
      new Retention(
          365 * DAY,
          Map.of(
              Kept.LOGS, 30 * DAY,
              Kept.WORK, Double.POSITIVE_INFINITY,
              Kept.CHECKPOINTS, Double.POSITIVE_INFINITY));

  public Retention {
    fileSeconds = Map.copyOf(fileSeconds);
  }

  double seconds(Kept kind) {
    return fileSeconds.getOrDefault(kind, Double.POSITIVE_INFINITY);
  }

  /** After so long, something may be removed. */
  double leastSeconds() {
    return fileSeconds.values().stream()
        .mapToDouble(Double::doubleValue)
        .reduce(historySeconds, Math::min);
  }
}
