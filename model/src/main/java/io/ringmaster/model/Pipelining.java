package io.ringmaster.model;

/**
 * How the stages of a pipeline follow each other within an iteration.
 *
 * @param overlap whether gradients are summed while the backward pass still runs
 * @param microBatches 0: steady state, where the slowest stage sets the pace; else one forward and
 *     one backward pass for each of so many micro-batches, and the pipeline runs empty at the end
 */
public record Pipelining(boolean overlap, int microBatches) {
  /** The slowest stage sets the pace, and gradients are summed after the backward pass. */
  public static final Pipelining STEADY = new Pipelining(false, 0);
}
