package io.ringmaster.runs;

import io.ringmaster.simulator.RunObserver;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Adds up how many jobs have finished in runs that go on at the same time. */
public final class SharedProgress {
  private final AtomicLong finished = new AtomicLong();
  private final LongConsumer told;

  /**
   * Of no run yet.
   *
   * @param told how many jobs of all runs have finished, from any thread
   */
  public SharedProgress(LongConsumer told) {
    this.told = told;
  }

  /** For one more run. */
  public RunObserver ofOneRun() {
    return new RunObserver() {
      private int before;

      @Override
      public void progress(int now) {
        told.accept(finished.addAndGet(now - before));
        before = now;
      }
    };
  }
}
