package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;

/** A cluster to try placements on, empty at first. What happens here happens nowhere else. */
public final class ScratchServers extends FreeServers {
  public ScratchServers(Cluster cluster) {
    super(cluster);
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
