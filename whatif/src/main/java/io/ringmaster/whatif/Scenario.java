package io.ringmaster.whatif;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;

/** What is replayed: jobs on a cluster under a policy. */
record Scenario(Jobs jobs, Cluster cluster, String policy) {
  Scenario on(Cluster other) {
    return new Scenario(jobs, other, policy);
  }

  Scenario with(Jobs others) {
    return new Scenario(others, cluster, policy);
  }

  Scenario under(String other) {
    return new Scenario(jobs, cluster, other);
  }
}
