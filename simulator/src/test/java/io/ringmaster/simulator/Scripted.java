package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import java.util.List;

/** Starts each job the moment it arrives, on the servers that a test says. */
record Scripted(List<Placement> placements) implements Policy {
  static RunResult run(Cluster cluster, Jobs jobs, Placement... placements) {
    return Runs.run(
        cluster,
        jobs,
        new Scripted(List.of(placements)),
        new Estimate.Perfect(),
        1,
        RunObserver.NONE);
  }

  /** One worker on each of some servers. */
  static Placement ring(int... servers) {
    int[] gpus = new int[servers.length];
    java.util.Arrays.fill(gpus, 1);
    return Placement.of(servers, gpus);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      decisions.start(job, placements.get(job));
    }
  }
}
