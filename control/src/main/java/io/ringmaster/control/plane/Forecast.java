package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the simulator says will become of the jobs that are there, if no other comes: with the same
 * policy, the same cluster, and each job as long as it is expected to be.
 */
final class Forecast {
  /** How long it may take. */
  private static final double MOST_SECONDS = 2;

  /** More are not looked at: those that have GPUs, then the most important, then the first. */
  private static final int MOST_JOBS = 20_000;

  private final Map<Long, Integer> rows = new HashMap<>();
  private final RunResult result;
  private final double nowSeconds;
  private final int leftOut;
  private final boolean isCutOff;

  /** Up to when it is known what happens, from now. */
  private final double seenSeconds;

  /** When those that wait are expected to start, in order. */
  private final double[] starts;

  private static final class TooLong extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * Simulates.
   *
   * @param jobs that wait for GPUs or have some
   */
  Forecast(
      AdmittedJobs admitted,
      PolicyHost host,
      ChosenPolicy chosen,
      ModelTable models,
      List<Job> jobs,
      double nowSeconds) {
    this.nowSeconds = nowSeconds;
    Cluster cluster = host.cluster();
    Places places = new Places(cluster);
    leftOut = Math.max(0, jobs.size() - MOST_JOBS);
    List<Job> inOrder =
        jobs.stream()
            .sorted(
                Comparator.comparingInt((Job j) -> j.target() == null ? 1 : 0)
                    .thenComparingInt(j -> -j.spec().priority())
                    .thenComparingDouble(Job::eligibleSeconds)
                    .thenComparingLong(Job::id))
            .limit(MOST_JOBS)
            .toList();
    List<Job> waiting = inOrder.stream().filter(j -> j.target() == null).toList();
    Jobs.Builder builder = Jobs.builder(models);
    for (Job job : inOrder) {
      rows.put(job.id(), builder.size());
      HostedJob hosted = host.hosted(job, admitted.quota(job), nowSeconds);
      builder.add(
          Long.toString(job.id()),
          0,
          hosted.gpus,
          hosted.minGpus,
          hosted.maxGpus,
          hosted.estimateSeconds - hosted.doneSeconds,
          true,
          job.spec().model(),
          job.user(),
          job.spec().group());
      if (!hosted.isResumable) {
        builder.notResumable();
      }
      if (!hosted.demand.isNone()) {
        builder.asking(new Demand(job.spec().cpusPerGpu(), job.spec().memoryGbPerGpu() * 1e9));
      }
    }
    PolicySpec spec = chosen.spec();
    long until = System.nanoTime() + (long) (1e9 * MOST_SECONDS);
    Simulation simulation =
        new Simulation(
            cluster,
            builder.build(),
            chosen.name(),
            spec.create(spec.settings(chosen.settings()), cluster),
            new Estimate.Perfect(),
            1,
            new RunObserver() {
              @Override
              public void segment(
                  int job, double from, double to, double warmup, Placement placement) {
                progress(0);
              }

              @Override
              public void progress(int finished) {
                if (System.nanoTime() - until > 0) {
                  throw new TooLong();
                }
              }
            });
    for (Job job : inOrder) {
      Allocation target = job.target();
      Integer row = rows.get(job.id());
      if (target != null && row != null) {
        simulation.place(row, places.placement(target));
      }
    }
    isCutOff = !ranToItsEnd(simulation);
    result = simulation.soFar();
    seenSeconds =
        rows.values().stream()
            .mapToDouble(
                row -> Math.max(known(result.startSeconds(row)), known(result.finishSeconds(row))))
            .max()
            .orElse(0);
    starts =
        waiting.stream()
            .mapToDouble(job -> startSeconds(job.id()))
            .filter(start -> !Double.isNaN(start))
            .sorted()
            .toArray();
  }

  private static double known(double seconds) {
    return Double.isNaN(seconds) ? 0 : seconds;
  }

  private static boolean ranToItsEnd(Simulation simulation) {
    try {
      simulation.run();
      return true;
    } catch (TooLong e) {
      return false;
    }
  }

  /** Whether all jobs were looked at, and to their ends. */
  boolean isComplete() {
    return !isCutOff && leftOut == 0;
  }

  /** What was not looked at, and so what can be said of a job, in words. */
  String whatIsMissing(long job) {
    String missing =
        leftOut > 0
            ? "%d more jobs were left out of it".formatted(leftOut)
            : "there was time to look %s ahead".formatted(hours(seenSeconds));
    if (!Double.isNaN(startSeconds(job))) {
      return "rough, since " + missing;
    }
    return isCutOff && rows.containsKey(job)
        ? "%s, and the job does not start within that".formatted(missing)
        : "no prediction, since " + missing;
  }

  private static String hours(double seconds) {
    return seconds < 7200 ? "%.0f s".formatted(seconds) : "%.0f h".formatted(seconds / 3600);
  }

  /** When a job is expected to start, seconds since 1970; NaN if that is not known. */
  double startSeconds(long job) {
    Integer row = rows.get(job);
    return row == null ? Double.NaN : nowSeconds + result.startSeconds(row);
  }

  /** When a job is expected to end. */
  double endSeconds(long job) {
    Integer row = rows.get(job);
    return row == null ? Double.NaN : nowSeconds + result.finishSeconds(row);
  }

  /** How long a job is without GPUs from now on; NaN if it is not seen to its end. */
  double waitSeconds(long job) {
    Integer row = rows.get(job);
    return row == null ? Double.NaN : result.finishSeconds(row) - result.heldSeconds(row);
  }

  /** How often a job is stopped, moved or resized from now on. */
  int stops(long job) {
    Integer row = rows.get(job);
    return row == null ? 0 : result.restarts(row);
  }

  /** How many jobs that wait now are expected to start before one, at the least. */
  int ahead(long job) {
    double start = startSeconds(job);
    if (Double.isNaN(start)) {
      return isCutOff && rows.containsKey(job) ? starts.length : 0;
    }
    int at = Arrays.binarySearch(starts, start);
    while (at > 0 && starts[at - 1] == start) {
      at--;
    }
    return at < 0 ? -at - 1 : at;
  }
}
