package io.ringmaster.policy.doubling;

import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.slots.Speeds;
import org.jspecify.annotations.Nullable;

/** The speed that the cluster's model of iteration times gives: as if measured beforehand. */
record Known(
    Speeds.Curve curve, IterationTime time, @Nullable ModelProfile profile, int askedWorkers)
    implements Belief {

  @Override
  public double rate(int workers) {
    return curve.at(workers) / curve.at(askedWorkers);
  }

  @Override
  public double rate(Placement placement) {
    return placement.workers() / time.seconds(profile, placement, 1) / curve.at(askedWorkers);
  }
}
