package io.ringmaster.model.pipeline;

/**
 * One stage of a pipeline. Times and sizes are those of one replica in one iteration.
 *
 * @param replicas k: each has all of the stage's parameters and a part of the mini-batch
 * @param forwardSeconds pf
 * @param backwardSeconds pb
 * @param sentBytes d: activations sent to the next stage; as much comes back as gradients
 * @param parameterBytes h: what the replicas of the stage sum around a ring
 */
public record Stage(
    int replicas,
    double forwardSeconds,
    double backwardSeconds,
    double sentBytes,
    double parameterBytes) {

  /** What a replica exchanges with the others of its stage: 2 h (k - 1) / k. */
  public double ringBytes() {
    return 2 * parameterBytes * (replicas - 1) / replicas;
  }
}
