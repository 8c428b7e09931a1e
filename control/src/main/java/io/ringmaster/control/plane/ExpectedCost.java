package io.ringmaster.control.plane;

import io.ringmaster.control.store.Measured;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What stopping a job to go on elsewhere or later costs, as far as is known: the median of the last
 * restarts that were measured, and the configured cost as so many more. A median, since a single
 * job that hangs must not make a policy shy of all restarts. Starts likewise.
 */
final class ExpectedCost {
  /** How many of the last ones count. */
  private static final int WINDOW = 50;

  /** As how many measurements the configured cost counts. */
  private static final int PRIOR = 5;

  private final Deque<Double> seconds = new ArrayDeque<>();
  private final double configuredSeconds;

  ExpectedCost(double configuredSeconds) {
    this.configuredSeconds = configuredSeconds;
  }

  void add(Measured measured) {
    seconds.addLast(measured.seconds());
    if (seconds.size() > WINDOW) {
      seconds.removeFirst();
    }
  }

  /** What the next one is expected to cost. */
  double expectedSeconds() {
    int count = seconds.size();
    if (count == 0) {
      return configuredSeconds;
    }
    return (PRIOR * configuredSeconds + count * Median.of(seconds)) / (PRIOR + count);
  }
}
