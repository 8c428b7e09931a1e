package io.ringmaster.predictor.speed;

import io.ringmaster.model.Placement;
import java.util.Comparator;

/**
 * A measured iteration.
 *
 * @param mostOnOne the most workers that sat on one server
 * @param batch samples of one worker's mini-batch
 */
public record StepTime(int workers, int servers, int mostOnOne, double batch, double seconds) {
  /** In the order of what was measured, then of the time. */
  static final Comparator<StepTime> ORDER =
      Comparator.comparingInt(StepTime::workers)
          .thenComparingInt(StepTime::servers)
          .thenComparingInt(StepTime::mostOnOne)
          .thenComparingDouble(StepTime::batch)
          .thenComparingDouble(StepTime::seconds);

  public StepTime {
    if (workers < 1
        || servers < 1
        || servers > workers
        || mostOnOne < Math.ceilDiv(workers, servers)
        || mostOnOne > workers - servers + 1) {
      throw new IllegalArgumentException(
          "no placement: %d workers on %d servers, at most %d on one"
              .formatted(workers, servers, mostOnOne));
    }
    if (!(batch > 0 && seconds > 0) || Double.isInfinite(batch) || Double.isInfinite(seconds)) {
      throw new IllegalArgumentException(
          "batch %s, seconds %s: both must be above 0".formatted(batch, seconds));
    }
  }

  public static StepTime of(Placement placement, double batch, double seconds) {
    return new StepTime(
        placement.workers(), placement.size(), placement.mostOnOne(), batch, seconds);
  }

  public boolean crossesServers() {
    return servers > 1;
  }

  /** Whether the other was measured in the same place with the same batch. */
  boolean sameConditions(StepTime other) {
    return workers == other.workers
        && servers == other.servers
        && mostOnOne == other.mostOnOne
        && batch == other.batch;
  }

  StepTime taking(double otherSeconds) {
    return new StepTime(workers, servers, mostOnOne, batch, otherSeconds);
  }
}
