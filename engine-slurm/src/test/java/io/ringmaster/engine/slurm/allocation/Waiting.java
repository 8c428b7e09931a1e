package io.ringmaster.engine.slurm.allocation;

import java.util.concurrent.Callable;

/** Waits for conditions, with a limit that no healthy machine reaches. */
final class Waiting {
  static final long PATIENCE_MILLIS = 90_000;

  private Waiting() {}

  static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (!condition.call()) {
      if (System.currentTimeMillis() > end) {
        throw new AssertionError("still waiting for " + what);
      }
      pause(10);
    }
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
