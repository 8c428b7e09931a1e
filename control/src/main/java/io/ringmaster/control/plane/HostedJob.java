package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.model.Demand;
import io.ringmaster.model.ModelProfile;
import org.jspecify.annotations.Nullable;

/**
 * What a host keeps of a job. Times are the policy's; work is in seconds at ideal speed with the
 * workers asked for.
 */
final class HostedJob {
  final long id;
  final int gpus;
  final int askedGpus;
  final int minGpus;
  final int maxGpus;
  final int user;
  final double submitSeconds;
  final @Nullable ModelProfile profile;
  final Demand demand;
  double iterationSeconds = 1;
  double estimateSeconds;

  /** Work done by {@link #from}, and how fast it goes on after that. */
  double done;

  double from;
  double speed;

  /** GPU-seconds held before {@link #segmentStart}. */
  double attained;

  double segmentStart = Double.NaN;
  int heldWorkers;
  double warmupSeconds;
  boolean startedBefore;

  /** How much of it is done, as it said last; NaN: it does not say. */
  double saidShare;

  /** Whether the policy was told that it arrived. */
  boolean told;

  boolean gone;

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
    this.profile = profile;
    this.demand = demand;
    this.user = user;
    this.submitSeconds = submitSeconds;
    this.attained = job.attainedGpuSeconds();
    this.startedBefore = job.attempt() > 0;
    this.saidShare = job.doneShare() > 0 ? job.doneShare() : Double.NaN;
  }

  /** When it ends at the present speed, as far as is known. */
  double endSeconds() {
    return from + (estimateSeconds - done) / speed;
  }

  /**
   * It did as much as was expected, and goes on: as long as what it says is left, else half as long
   * again; a second at least.
   */
  void outlived() {
    double left = Double.isNaN(saidShare) ? done / 2 : (1 - saidShare) * estimateSeconds;
    estimateSeconds = done + Math.max(left, 1);
  }
}
