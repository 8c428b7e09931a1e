package io.ringmaster.policy;

import java.util.Locale;

/** What a policy knows of how long jobs will run. */
public enum KnownLengths {
  /** The truth, which nobody has outside of a simulation. */
  KNOWN,
  /** A guess, such as what jobs that ended before let one expect. */
  PREDICTED,
  /** Nothing: it does not ask. */
  NONE;

  /** As files and tables have it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
