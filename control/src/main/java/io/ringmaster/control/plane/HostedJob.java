package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.policy.Estimate;
import io.ringmaster.predictor.told.LengthErrors;
import org.jspecify.annotations.Nullable;

/**
 * What a host knows of a job. Times are the policy's; work is in seconds at ideal speed with the
 * workers asked for.
 */
final class HostedJob {
  final long id;
  final int gpus;
  final int askedGpus;
  final int minGpus;
  final int maxGpus;
  final boolean isElastic;
  final boolean isResumable;
  final int user;
  final double submitSeconds;
  final @Nullable ModelProfile profile;
  final Demand demand;

  /** GPU-seconds held before the attempt that was under way when the policy was shown it. */
  final double attainedGpuSeconds;

  final boolean startedBefore;

  /** Attempts that are over: it was stopped, or lost its node. */
  final int stoppedBefore;

  double iterationSeconds = 1;
  double estimateSeconds;

  /** What was told of its length, before anything was known of how it runs. */
  double toldSeconds;

  /** How wrong that was of others; null: nobody keeps count. */
  @Nullable LengthErrors errors;

  /** Work done when the policy was shown it. */
  double doneSeconds;

  /** How much of it is done, as it said last; NaN: it does not say. */
  double saidShare;

  /**
   * A job as the policy is to see it.
   *
   * @param mostGpus no more than this can or may be given to it
   */
  HostedJob(
      Job job,
      int user,
      double submitSeconds,
      int mostGpus,
      @Nullable ModelProfile profile,
      Demand demand) {
    this.id = job.id();
    this.askedGpus = job.spec().gpus();
    // Many policies count on it that a job has as many workers as it asks for. One that another
    // policy gave more or fewer asks for those.
    int workers = job.target() == null ? 0 : job.target().workers();
    this.minGpus = job.spec().minGpus();
    this.maxGpus = Math.max(Math.max(minGpus, workers), Math.min(job.spec().maxGpus(), mostGpus));
    this.gpus = workers > 0 ? workers : Math.min(job.spec().gpus(), maxGpus);
    this.isElastic = job.spec().isElastic();
    this.isResumable = job.spec().resumable();
    this.profile = profile;
    this.demand = demand;
    this.user = user;
    this.submitSeconds = submitSeconds;
    this.attainedGpuSeconds = job.attainedGpuSeconds();
    this.startedBefore = job.attempt() > 0;
    this.stoppedBefore = Math.max(0, job.attempt() - (job.target() == null ? 0 : 1));
    this.saidShare = job.doneShare() > 0 ? job.doneShare() : Double.NaN;
  }

  /** What a job takes on a cluster beside GPUs. */
  static Demand demand(JobSpec spec, @Nullable ModelProfile profile, Cluster cluster) {
    return cluster.demand(NodeMarks.demand(spec, cluster), profile);
  }

  /**
   * How wrong lengths such as its own were told. What a job says of itself is worth more than what
   * was said of others.
   */
  @Nullable LengthErrors lengthErrors() {
    return Double.isNaN(saidShare) ? errors : null;
  }

  /** It did as much as was expected, but for what was rounded, and goes on. */
  void outlived(double done) {
    double said = (1 - saidShare) * estimateSeconds;
    estimateSeconds = done + Estimate.leftOfOutlivedSeconds(done, said);
  }
}
