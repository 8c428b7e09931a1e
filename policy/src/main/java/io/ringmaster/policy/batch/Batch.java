package io.ringmaster.policy.batch;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Slots;
import io.ringmaster.model.collect.Sorted;
import io.ringmaster.policy.View;
import io.ringmaster.policy.execution.IdealRuns;
import io.ringmaster.policy.execution.Progress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a plan is made for: jobs that wait, smallest first, then those that run already. Known by
 * their place in this order.
 */
public final class Batch {
  private final Cluster cluster;
  private final IterationTime time;
  private final Progress progress;
  private final double startSeconds;
  private final int waiting;
  private final int[] jobs;
  private final int[][] gpus;
  private final @Nullable Placement[] placements;
  private final int[] workers;
  private final @Nullable ModelProfile[] profiles;
  private final double[] idealIteration;
  private final double[] work;
  private final double[] plannedSeconds;

  /**
   * Takes a picture of the present.
   *
   * @param u how far above the truth an estimate may be: estimate / u is planned onto GPUs
   * @param held the GPUs of each running job
   */
  public Batch(View view, double u, int[] waitingJobs, int[] runningJobs, int[][] held) {
    cluster = view.cluster();
    time = IterationTime.of(cluster);
    startSeconds = view.nowSeconds();
    waiting = waitingJobs.length;
    int size = waiting + runningJobs.length;
    jobs = IntStream.concat(Arrays.stream(waitingJobs), Arrays.stream(runningJobs)).toArray();
    gpus = new int[size][];
    System.arraycopy(held, 0, gpus, waiting, held.length);
    placements = new Placement[size];
    workers = new int[size];
    profiles = new ModelProfile[size];
    idealIteration = new double[size];
    work = new double[size];
    plannedSeconds = new double[size];
    Map<Kind, Double> ideal = new HashMap<>();
    for (int i = 0; i < size; i++) {
      workers[i] = view.gpus(jobs[i]);
      ModelProfile profile = view.profile(jobs[i]);
      profiles[i] = profile;
      idealIteration[i] =
          ideal.computeIfAbsent(
              new Kind(
                  workers[i],
                  profile == null ? "" : profile.id(),
                  profile == null ? 0 : profile.computeSeconds(),
                  view.demand(jobs[i])),
              kind ->
                  IdealRuns.iterationSeconds(cluster, time, profile, kind.workers, kind.demand));
      if (i < waiting) {
        work[i] = view.estimateSeconds(jobs[i]) * view.slowdownOfKind(jobs[i]);
        plannedSeconds[i] = work[i] / u;
      }
    }
    progress = new Progress(new Runs(), cluster, size);
    progress.goTo(startSeconds);
    addRunning(view);
  }

  /** Jobs that are alike in their ideal place. */
  private record Kind(int workers, String model, double computeSeconds, Demand demand) {}

  private final class Runs implements IdealRuns {
    @Override
    public int gpus(int job) {
      return workers[job];
    }

    @Override
    public @Nullable ModelProfile profile(int job) {
      return profiles[job];
    }

    @Override
    public double iterationSeconds(int job) {
      return idealIteration[job];
    }
  }

  /** A running job's work is what its present speed makes of the time it still needs. */
  private void addRunning(View view) {
    for (int i = waiting; i < jobs.length; i++) {
      placements[i] = view.placement(jobs[i]);
      progress.start(i, view.placement(jobs[i]), startSeconds);
    }
    progress.rerate();
    for (int i = waiting; i < jobs.length; i++) {
      double left = view.remainingSeconds(jobs[i]);
      work[i] = left * progress.speed(i);
      plannedSeconds[i] = left;
    }
  }

  public Cluster cluster() {
    return cluster;
  }

  public Slots slots() {
    return progress.slots();
  }

  public double startSeconds() {
    return startSeconds;
  }

  /** Jobs to be planned: the first ones. */
  public int waiting() {
    return waiting;
  }

  public int size() {
    return jobs.length;
  }

  public int job(int index) {
    return jobs[index];
  }

  public int workers(int index) {
    return workers[index];
  }

  /** A copy of the present, with the running jobs under way. */
  Progress progress() {
    return progress.copy();
  }

  /** GPUs of a running job. */
  public int[] gpus(int index) {
    return gpus[index];
  }

  public Placement placement(int index) {
    return Objects.requireNonNull(placements[index]);
  }

  /** Ideal seconds still to be done. */
  public double work(int index) {
    return work[index];
  }

  /** What the job adds to the planned time of its GPUs: rho_hat / u. */
  public double plannedSeconds(int index) {
    return plannedSeconds[index];
  }

  /** No plan ends before this: the longest job alone, a running one where it is. */
  public double earliestEndSeconds() {
    Slots slots = slots();
    double longest = 0;
    for (int i = 0; i < jobs.length; i++) {
      double fastest =
          i < waiting
              ? slots.speed(idealIteration[i], time.fastestSeconds(profiles[i], workers[i]))
              : progress.speed(i, placement(i), 1);
      longest = Math.max(longest, work[i] / fastest);
    }
    return startSeconds + longest;
  }

  /**
   * phi: how much longer than in the best case a job of this batch can take, at most. The worst
   * case is one worker on each of the slowest servers, beside as many rings as fit.
   */
  public double greatestSlowdown() {
    int most = 0;
    for (int i = 0; i < jobs.length; i++) {
      most += workers[i] > 1 && profiles[i] != null ? 1 : 0;
    }
    int contenders = Math.max(1, Math.min(most, cluster.maxServerGpus()));
    Slots slots = slots();
    double greatest = 1;
    for (int i = 0; i < jobs.length; i++) {
      if (workers[i] > 1 && profiles[i] != null) {
        double slowest = time.seconds(profiles[i], widest(workers[i]), contenders);
        double fastest = time.fastestSeconds(profiles[i], workers[i]);
        greatest = Math.max(greatest, slots.speed(1, fastest) / slots.speed(1, slowest));
      }
    }
    return greatest;
  }

  private Placement widest(int count) {
    int[] slowestFirst =
        Sorted.by(
            Comparator.comparingDouble(s -> cluster.server(s).nicBytesPerSecond()), cluster.size());
    int used = Math.min(count, slowestFirst.length);
    int[] counts = new int[used];
    for (int left = count, at = 0; left > 0; at = (at + 1) % used) {
      if (counts[at] < cluster.gpus(slowestFirst[at])) {
        counts[at]++;
        left--;
      }
    }
    return Placement.of(Arrays.copyOf(slowestFirst, used), counts);
  }
}
