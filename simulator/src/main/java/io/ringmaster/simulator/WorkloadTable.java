package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.policy.execution.JobTable;
import io.ringmaster.predictor.told.LengthErrors;
import org.jspecify.annotations.Nullable;

/** What a workload says of its jobs, and what the policy is told of their lengths. */
record WorkloadTable(
    Cluster cluster, Jobs jobs, Lengths lengths, Estimates estimates, @Nullable KindChoice kinds)
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
    return kinds == null ? jobs.profile(job) : kinds.on(job).profile();
  }

  @Override
  public Demand demand(int job) {
    if (kinds != null) {
      return kinds.on(job).demand();
    }
    return cluster.limitsMoreThanGpus()
        ? cluster.demand(jobs.demand(job), jobs.profile(job))
        : Demand.NONE;
  }

  @Override
  public double iterationSeconds(int job) {
    return kinds == null ? lengths.iterationSeconds(job) : kinds.idealSeconds(job);
  }

  @Override
  public double slowdownOfKind(int job) {
    return kinds == null ? 1 : kinds.slowdown(job);
  }

  @Override
  public double estimateSeconds(int job) {
    return estimates.seconds(job);
  }

  @Override
  public double toldSeconds(int job) {
    return estimates.toldSeconds(job);
  }

  @Override
  public @Nullable LengthErrors lengthErrors(int job) {
    return estimates.errors();
  }

  @Override
  public double nextLookSeconds(int job) {
    return Math.min(lengths.idealSeconds(job), estimates.nextLookSeconds(job));
  }

  @Override
  public double keptSeconds(int job, double doneSeconds) {
    return jobs.keptSeconds(job, doneSeconds);
  }
}
