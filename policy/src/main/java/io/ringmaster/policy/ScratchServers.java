package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;

/** A cluster to try placements on. What happens here happens nowhere else. */
public final class ScratchServers extends FreeServers {
  /** All free. */
  public ScratchServers(Cluster cluster) {
    super(cluster);
  }

  /** As free as another is now. */
  public ScratchServers(FreeServers other) {
    super(other);
  }

  @Override
  public void take(Placement placement, Demand demand) {
    super.take(placement, demand);
  }

  @Override
  public void release(Placement placement, Demand demand) {
    super.release(placement, demand);
  }
}
