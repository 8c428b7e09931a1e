package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.policy.Ledger;

/** What a workload says of its jobs' sizes and demands. */
record Gangs(Jobs jobs, Cluster cluster) implements Ledger.Gangs {
  @Override
  public int minGpus(int job) {
    return jobs.minGpus(job);
  }

  @Override
  public int maxGpus(int job) {
    return jobs.maxGpus(job);
  }

  @Override
  public Demand demand(int job) {
    return cluster.demand(jobs.demand(job), jobs.profile(job));
  }

  @Override
  public String id(int job) {
    return jobs.id(job);
  }
}
