package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Estimate;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What the simulator says will become of the jobs that are there, if no other comes: with the same
 * policy, the same cluster, and each job as long as is likely after what is known of it.
 */
final class Forecast {
  /** How long it may take. */
  private static final double MOST_SECONDS = 2;

  /** More are not looked at: those that have GPUs, then the most important, then the first. */
  private static final int MOST_JOBS = 20_000;

  private final Map<Long, Integer> rows = new HashMap<>();
  private final RunResult result;

  /** When a job first loses its place or its number of workers, or ends, from now; by row. */
  private final double[] firstEndSeconds;

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
    this(admitted, host, chosen, models, jobs, nowSeconds, deadline());
  }

  private static BooleanSupplier deadline() {
    long until = System.nanoTime() + (long) (1e9 * MOST_SECONDS);
    return () -> System.nanoTime() - until > 0;
  }

  /**
   * Simulates until somebody says that it took long enough.
   *
   * @param isTimeUp asked at each end of a placement, and now and then
   */
  Forecast(
      AdmittedJobs admitted,
      PolicyHost host,
      ChosenPolicy chosen,
      ModelTable models,
      List<Job> jobs,
      double nowSeconds,
      BooleanSupplier isTimeUp) {
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
    List<HostedJob> all =
        inOrder.stream().map(job -> host.hosted(job, admitted.quota(job), nowSeconds)).toList();
    ExpectedLeft left = new ExpectedLeft(all);
    JobsBuilder builder = Jobs.builder(models);
    for (Job job : inOrder) {
      HostedJob hosted = all.get(builder.size());
      rows.put(job.id(), builder.size());
      builder.add(
          Long.toString(job.id()),
          0,
          hosted.gpus,
          hosted.minGpus,
          hosted.maxGpus,
          left.seconds(hosted),
          true,
          job.spec().model(),
          job.user(),
          job.spec().group());
      if (!hosted.isResumable) {
        builder.notResumable();
      }
      if (!hosted.demand.isNone()) {
        builder.asking(NodeMarks.demand(job.spec(), cluster));
      }
    }
    double[] firstEnds = new double[inOrder.size()];
    Arrays.fill(firstEnds, Double.NaN);
    Simulation simulation =
        new Simulation(
            cluster,
            builder.build(),
            chosen.name(),
            chosen.create(cluster),
            new Estimate.Perfect(),
            1,
            new RunObserver() {
              @Override
              public void segment(
                  int job, double from, double to, double warmup, Placement placement) {
                firstEnds[job] = Double.isNaN(firstEnds[job]) ? to : firstEnds[job];
                progress(0);
              }

              @Override
              public void progress(int finished) {
                if (isTimeUp.getAsBoolean()) {
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
    firstEndSeconds = firstEnds;
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

  /** When a job that has GPUs is first stopped, moved or resized; NaN: it is not. */
  double firstStopSeconds(long job) {
    Integer row = rows.get(job);
    return row == null || result.restarts(row) == 0
        ? Double.NaN
        : nowSeconds + firstEndSeconds[row];
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
