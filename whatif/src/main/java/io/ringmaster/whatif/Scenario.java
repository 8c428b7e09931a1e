package io.ringmaster.whatif;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;

/** What is replayed: jobs on a cluster under a policy, which knows so much of their lengths. */
record Scenario(Jobs jobs, Cluster cluster, String policy, Foresight foresight) {
  Scenario on(Cluster other) {
    return new Scenario(jobs, other, policy, foresight);
  }

  Scenario with(Jobs others) {
    return new Scenario(others, cluster, policy, foresight);
  }

  Scenario under(String other) {
    return new Scenario(jobs, cluster, other, foresight);
  }

  Scenario knowing(Foresight other) {
    return new Scenario(jobs, cluster, policy, other);
  }
}
