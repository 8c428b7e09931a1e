package io.ringmaster.policy.batch;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rings;
import io.ringmaster.model.Slots;
import io.ringmaster.policy.View;
import org.jspecify.annotations.Nullable;

/**
 * What a plan is made for: jobs that wait, smallest first, then those that run already. Known by
 * their place in this order.
 */
public final class Batch {
  private final Cluster cluster;
  private final IterationTime time;
  private final Slots slots;
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
    slots = new Slots(cluster.network().slotSeconds());
    startSeconds = view.nowSeconds();
    waiting = waitingJobs.length;
    int size = waiting + runningJobs.length;
    jobs = new int[size];
    System.arraycopy(waitingJobs, 0, jobs, 0, waiting);
    System.arraycopy(runningJobs, 0, jobs, waiting, runningJobs.length);
    gpus = new int[size][];
    System.arraycopy(held, 0, gpus, waiting, held.length);
    placements = new Placement[size];
    workers = new int[size];
    profiles = new ModelProfile[size];
    idealIteration = new double[size];
    work = new double[size];
    plannedSeconds = new double[size];
    IdealTimes ideal = new IdealTimes();
    for (int i = 0; i < size; i++) {
      workers[i] = view.gpus(jobs[i]);
      profiles[i] = view.profile(jobs[i]);
      idealIteration[i] = ideal.seconds(i);
      if (i < waiting) {
        work[i] = view.estimateSeconds(jobs[i]);
        plannedSeconds[i] = work[i] / u;
      }
    }
    addRunning(view);
  }

  /** A running job's work is what its present speed makes of the time it still needs. */
  private void addRunning(View view) {
    Rings rings = rings();
    for (int i = waiting; i < jobs.length; i++) {
      Placement placement = view.placement(jobs[i]);
      placements[i] = placement;
      if (sharesLinks(i, placement)) {
        rings.join(i, profiles[i], placement);
      }
    }
    for (int i = waiting; i < jobs.length; i++) {
      Placement placement = view.placement(jobs[i]);
      double left = view.remainingSeconds(jobs[i]);
      work[i] =
          left
              * speed(i, placement, sharesLinks(i, placement) ? rings.contenders(i, placement) : 1);
      plannedSeconds[i] = left;
    }
  }

  /** tau of the ideal placement, found once for each size and model. */
  private final class IdealTimes {
    private final java.util.Map<Integer, java.util.Map<String, Double>> known =
        new java.util.HashMap<>();

    double seconds(int index) {
      ModelProfile profile = profiles[index];
      String id = profile == null ? "" : profile.id();
      return known
          .computeIfAbsent(workers[index], _ -> new java.util.HashMap<>())
          .computeIfAbsent(
              id, _ -> time.seconds(profile, cluster.idealPlacement(workers[index]), 1));
    }
  }

  public Cluster cluster() {
    return cluster;
  }

  public Slots slots() {
    return slots;
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

  @Nullable ModelProfile profile(int index) {
    return profiles[index];
  }

  /** Without any yet. */
  public Rings rings() {
    return new Rings(cluster.size(), time);
  }

  /** GPUs of a running job. */
  public int[] gpus(int index) {
    return gpus[index];
  }

  public Placement placement(int index) {
    return java.util.Objects.requireNonNull(placements[index]);
  }

  /** Ideal seconds still to be done. */
  public double work(int index) {
    return work[index];
  }

  /** What the job adds to the planned time of its GPUs: rho_hat / u. */
  public double plannedSeconds(int index) {
    return plannedSeconds[index];
  }

  public boolean sharesLinks(int index, Placement placement) {
    return placement.crossesServers() && profiles[index] != null && time.neighboursMatter();
  }

  /** Ideal seconds done in a second. */
  public double speed(int index, Placement placement, double contenders) {
    return slots.speed(idealIteration[index], time.seconds(profiles[index], placement, contenders));
  }

  /** No plan ends before this: the longest job alone, a running one where it is. */
  public double earliestEndSeconds() {
    double longest = 0;
    for (int i = 0; i < jobs.length; i++) {
      double fastest =
          i < waiting
              ? slots.speed(idealIteration[i], time.fastestSeconds(profiles[i], workers[i]))
              : speed(i, placement(i), 1);
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
    int[] order = new int[cluster.size()];
    for (int s = 0; s < order.length; s++) {
      order[s] = s;
    }
    int[] slowestFirst =
        java.util.Arrays.stream(order)
            .boxed()
            .sorted(
                java.util.Comparator.comparingDouble(
                    (Integer s) -> cluster.server(s).nicBytesPerSecond()))
            .mapToInt(Integer::intValue)
            .toArray();
    int used = Math.min(count, slowestFirst.length);
    int[] counts = new int[used];
    for (int left = count, at = 0; left > 0; at = (at + 1) % used) {
      if (counts[at] < cluster.gpus(slowestFirst[at])) {
        counts[at]++;
        left--;
      }
    }
    return Placement.of(java.util.Arrays.copyOf(slowestFirst, used), counts);
  }
}
