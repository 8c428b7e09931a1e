package io.ringmaster.control.plane;

import io.ringmaster.model.Demand;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.policy.execution.JobTable;
import io.ringmaster.predictor.told.LengthErrors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The live jobs by the numbers that a policy knows them by. Nobody knows when one really ends. */
final class HostedJobs implements JobTable {
  private final List<HostedJob> jobs = new ArrayList<>();
  private boolean anyElastic;

  int size() {
    return jobs.size();
  }

  HostedJob job(int number) {
    return jobs.get(number);
  }

  void add(HostedJob job) {
    jobs.add(job);
    anyElastic |= job.isElastic;
  }

  @Override
  public String id(int job) {
    return Long.toString(jobs.get(job).id);
  }

  @Override
  public double submitSeconds(int job) {
    return jobs.get(job).submitSeconds;
  }

  @Override
  public int gpus(int job) {
    return jobs.get(job).gpus;
  }

  @Override
  public int minGpus(int job) {
    return jobs.get(job).minGpus;
  }

  @Override
  public int maxGpus(int job) {
    return jobs.get(job).maxGpus;
  }

  @Override
  public boolean anyElastic() {
    return anyElastic;
  }

  @Override
  public boolean resumable(int job) {
    return jobs.get(job).isResumable;
  }

  @Override
  public int user(int job) {
    return jobs.get(job).user;
  }

  @Override
  public @Nullable ModelProfile profile(int job) {
    return jobs.get(job).profile;
  }

  @Override
  public Demand demand(int job) {
    return jobs.get(job).demand;
  }

  @Override
  public double iterationSeconds(int job) {
    return jobs.get(job).iterationSeconds;
  }

  @Override
  public double estimateSeconds(int job) {
    return jobs.get(job).estimateSeconds;
  }

  @Override
  public double toldSeconds(int job) {
    return jobs.get(job).toldSeconds;
  }

  @Override
  public @Nullable LengthErrors lengthErrors(int job) {
    return jobs.get(job).lengthErrors();
  }

  @Override
  public double nextLookSeconds(int job) {
    return jobs.get(job).estimateSeconds;
  }

  /** Whom a policy stops is told first, and has its grace to save all that it did. */
  @Override
  public double keptSeconds(int job, double doneSeconds) {
    return doneSeconds;
  }

  /** Lengths are as they are told or measured where a job runs; none names a speed for a kind. */
  @Override
  public double slowdownOfKind(int job) {
    return 1;
  }
}
