package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.policy.execution.JobTable;
import org.jspecify.annotations.Nullable;

/** What a workload says of its jobs, and what the policy is told of their lengths. */
record WorkloadTable(Cluster cluster, Jobs jobs, Lengths lengths, Estimates estimates)
    implements JobTable {
  @Override
  public String id(int job) {
    return jobs.id(job);
  }

  @Override
  public double submitSeconds(int job) {
    return jobs.submitSeconds(job);
  }

  @Override
  public int gpus(int job) {
    return jobs.gpus(job);
  }

  @Override
  public int minGpus(int job) {
    return jobs.minGpus(job);
  }

  @Override
  public int maxGpus(int job) {
    return jobs.maxGpus(job);
  }

  @Override
  public boolean anyElastic() {
    return jobs.anyElastic();
  }

  @Override
  public boolean resumable(int job) {
    return jobs.resumable(job);
  }

  @Override
  public int user(int job) {
    return jobs.user(job);
  }

  @Override
  public @Nullable ModelProfile profile(int job) {
    return jobs.profile(job);
  }

  @Override
  public Demand demand(int job) {
    return cluster.limitsMoreThanGpus()
        ? cluster.demand(jobs.demand(job), jobs.profile(job))
        : Demand.NONE;
  }

  @Override
  public double iterationSeconds(int job) {
    return lengths.iterationSeconds(job);
  }

  @Override
  public double estimateSeconds(int job) {
    return estimates.seconds(job);
  }

  @Override
  public double nextLookSeconds(int job) {
    return Math.min(lengths.idealSeconds(job), estimates.nextLookSeconds(job));
  }
}
