package io.ringmaster.model;

import java.util.List;

/** How rings on a link stretch each other's exchanges where they take turns. */
public sealed interface Turns permits ShiftedTurns, PriorityTurns {
  /**
   * How many times as long as alone each ring transmits; at least 1.
   *
   * @param rings all that are on the link and have something to send, by their jobs' numbers
   */
  double[] stretches(List<LinkRing> rings);
}
