package io.ringmaster.policy.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.policy.FreeServers;
import java.util.List;

/**
 * Which jobs get how many workers, and where, so that the profits of a slot add up to the most
 * (R-DDLS of one slot in the paper of GADGET).
 *
 * @param free what there is to be given out
 */
public record SlotProblem(Cluster cluster, List<SlotJob> jobs, FreeServers free) {
  /** The whole cluster is there to be given out. */
  public SlotProblem(Cluster cluster, List<SlotJob> jobs) {
    this(cluster, jobs, new FreeServers(cluster));
  }
}
