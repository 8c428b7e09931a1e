package io.ringmaster.simulator;

import io.ringmaster.model.Placement;

/** Told of what happens in a run while it happens, so that a long history need not be kept. */
public interface RunObserver {
  /** Hears nothing. */
  RunObserver NONE = new RunObserver() {};

  /**
   * A job's placement ended: it finished, moved or was suspended.
   *
   * @param warmupSeconds restart time at the beginning of the stretch, without progress
   */
  default void segment(
      int job, double startSeconds, double endSeconds, double warmupSeconds, Placement placement) {}

  /** Called now and then. */
  default void progress(int finished) {}
}
