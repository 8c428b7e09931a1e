package io.ringmaster.policy.doubling;

import io.ringmaster.model.Placement;

/** How fast a job is thought to be: seconds of its length that it does in a second. */
interface Belief {
  /** With so many workers in the best place for them. */
  double rate(int workers);

  /** In a place, without neighbours. */
  double rate(Placement placement);
}
