package io.ringmaster.policy;

import io.ringmaster.model.Placement;

/**
 * Where a policy records what it decides. Each decision is checked at once for capacity, for the
 * whole gang and for the job's range, and counts in {@link View#free} from then on. What is carried
 * out is the difference between before and after: a job that is suspended and started again where
 * it was never stops.
 */
public interface Decisions {
  /** Starts a waiting job, or one suspended in this pass. */
  void start(int job, Placement placement);

  /** Moves a running job to another placement or another number of workers. It restarts there. */
  void resize(int job, Placement placement);

  /** Stops a running job. It keeps its progress and waits. */
  void suspend(int job);

  /**
   * Tells a running job what to multiply the learning rate by that it was submitted with. It counts
   * from the job's next start on, also in this pass; what a job was never told is 1.
   */
  void scaleLearningRate(int job, double factor);

  /**
   * Asks for a decision at a time to come, even if nothing else happens. Of several calls the
   * earliest counts; it is forgotten at the next decision.
   */
  void wakeAt(double seconds);
}
