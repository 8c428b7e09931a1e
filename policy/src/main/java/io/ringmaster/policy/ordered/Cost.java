package io.ringmaster.policy.ordered;

import io.ringmaster.model.Placement;

/**
 * What placement does to a job's iterations.
 *
 * @param nearSeconds alone on the fewest servers: the iteration that lengths are told in
 * @param farSeconds alone, with every worker on a server of its own
 * @param leastSeconds no placement is faster
 * @param nearest those fewest servers on the empty cluster: only their counts of GPUs matter
 */
public record Cost(double nearSeconds, double farSeconds, double leastSeconds, Placement nearest) {

  /** Whether being scattered makes a job slower by more than a factor. */
  public boolean communicates(double theta) {
    return farSeconds > theta * nearSeconds;
  }
}
