package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
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
import org.jspecify.annotations.Nullable;

/**
 * What the simulator says will become of the jobs that are there, if no other comes: with the same
 * policy, the same cluster, and each job as long as it is expected to be.
 */
final class Forecast {
  /** How long anybody should have to wait for an answer. */
  private static final long MOST_NANOSECONDS = 5_000_000_000L;

  private final Map<Long, Integer> rows = new HashMap<>();
  private final @Nullable RunResult result;
  private final double nowSeconds;

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
    List<Job> inOrder =
        jobs.stream()
            .sorted(
                Comparator.comparingInt((Job j) -> j.target() == null ? 1 : 0)
                    .thenComparingInt(j -> -j.spec().priority())
                    .thenComparingDouble(Job::eligibleSeconds)
                    .thenComparingLong(Job::id))
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
    long until = System.nanoTime() + MOST_NANOSECONDS;
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
              public void progress(int finished) {
                if (System.nanoTime() > until) {
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
    result = run(simulation);
    starts = waiting.stream().mapToDouble(job -> startSeconds(job.id())).sorted().toArray();
  }

  private static @Nullable RunResult run(Simulation simulation) {
    try {
      return simulation.run();
    } catch (TooLong e) {
      return null;
    }
  }

  /** Whether there was time enough to see it through. */
  boolean isComplete() {
    return result != null;
  }

  /** When a job is expected to start, seconds since 1970; NaN if that is not known. */
  double startSeconds(long job) {
    Integer row = rows.get(job);
    return result == null || row == null ? Double.NaN : nowSeconds + result.startSeconds(row);
  }

  /** When a job is expected to end. */
  double endSeconds(long job) {
    Integer row = rows.get(job);
    return result == null || row == null ? Double.NaN : nowSeconds + result.finishSeconds(row);
  }

  /** How many jobs that wait now are expected to start before one. */
  int ahead(long job) {
    double start = startSeconds(job);
    if (Double.isNaN(start)) {
      return 0;
    }
    int at = Arrays.binarySearch(starts, start);
    while (at > 0 && starts[at - 1] == start) {
      at--;
    }
    return at < 0 ? -at - 1 : at;
  }
}
