package io.ringmaster.simulator;

import io.ringmaster.model.Placement;

/** Told of what happens in a run while it happens, so that a long history need not be kept. */
public interface RunObserver {
  /** Hears nothing. */
  RunObserver NONE = new RunObserver() {};

  /**
   * A job's placement ended: it finished, moved or was suspended.
   *
   * @param warmupSeconds restart time at the beginning of the segment, without progress
   */
  default void segment(
      int job, double startSeconds, double endSeconds, double warmupSeconds, Placement placement) {}

  /**
   * A job starts with a learning rate that the policy chose.
   *
   * @param factor what it multiplies the learning rate by that it was submitted with
   */
  default void learningRate(int job, double startSeconds, int workers, double factor) {}

  /** Called now and then. */
  default void progress(int finished) {}
}
