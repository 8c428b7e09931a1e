package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.policy.PolicySpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs wait and are placed: the gate, and behind it the policy's host. Made anew when the
 * nodes or the policy change. Knows nothing of processes.
 */
final class Floor {
  /** Of submission: policies break ties by it. */
  private static final Comparator<Job> ORDER =
      Comparator.comparingDouble(Job::eligibleSeconds).thenComparingLong(Job::id);

  private final PlaneConfig config;
  private final Capacity capacity;
  private final Gate gate;
  private final @Nullable PolicyHost host;
  private final Map<Long, Job> jobs;
  private final Set<Long> tooLarge = new HashSet<>();

  /** Jobs that came and are to be shown next. */
  private final List<Job> fresh = new ArrayList<>();

  /**
   * Opens a floor. No job may be displaced.
   *
   * @param jobs all that have not ended, by id; may change, and this object be told of it
   * @param seed of the policy's random numbers
   */
  Floor(
      PlaneConfig config,
      PolicySpec policy,
      Map<String, String> policySettings,
      Capacity capacity,
      Map<Long, Job> jobs,
      Experience experience,
      double nowSeconds,
      long seed) {
    this.config = config;
    this.capacity = capacity;
    this.jobs = jobs;
    this.gate = new Gate(config.quotaGpus());
    Cluster cluster = capacity.cluster();
    if (cluster == null) {
      host = null;
    } else {
      double zero =
          jobs.values().stream()
              .mapToDouble(Job::eligibleSeconds)
              .filter(s -> !Double.isNaN(s))
              .min()
              .orElse(nowSeconds);
      host =
          new PolicyHost(
              policy.name(),
              policy.create(policy.settings(policySettings), cluster),
              cluster,
              experience.speeds().models(),
              experience,
              Math.min(zero, nowSeconds),
              seed);
    }
    // Also those that were stopped for others and are not gone yet: they wait, and still hold GPUs.
    jobs.values().stream()
        .filter(job -> job.held() != null || job.target() != null)
        .filter(job -> job.target() == null || !isVisible(job) || capacity.isOutside(job))
        .forEach(gate::holds);
    // Those that have GPUs count before others are let in.
    jobs.values().stream()
        .filter(Floor::isVisible)
        .sorted(Comparator.comparing((Job job) -> job.target() == null).thenComparing(ORDER))
        .forEach(this::enter);
    sync(nowSeconds);
  }

  /** Whether a job waits for GPUs or has been given some. */
  static boolean isVisible(Job job) {
    return switch (job.state()) {
      case QUEUED, PLACED, STARTING, RUNNING, CHECKPOINTING -> true;
      default -> false;
    };
  }

  @Nullable PolicyHost host() {
    return host;
  }

  Capacity capacity() {
    return capacity;
  }

  /** A job comes: it waits, or has been placed already. */
  void enter(Job job) {
    if (host == null || capacity.isOutside(job)) {
      return;
    }
    if (job.spec().minGpus() > mostWorkers(host.cluster(), job)) {
      tooLarge.add(job.id());
    } else if (job.target() == null) {
      gate.enter(job);
    } else {
      gate.enterPlaced(job);
      fresh.add(job);
    }
  }

  /** A job goes: it ended, or starts over. */
  void leave(Job job, double nowSeconds) {
    if (host != null && !tooLarge.remove(job.id())) {
      gate.leave(job);
      host.hide(job.id(), nowSeconds);
    }
  }

  /** A job that the policy has no say in any more still holds GPUs. */
  void holds(Job job) {
    gate.holds(job);
  }

  void frees(Job job) {
    gate.frees(job);
  }

  /** Shows the policy what it may see. */
  void sync(double nowSeconds) {
    if (host == null) {
      return;
    }
    gate.sync(fresh::add, job -> host.hide(job.id(), nowSeconds));
    fresh.sort(ORDER);
    for (Job job : fresh) {
      if (!host.shows(job.id())) {
        // The gate may remember it as it was long ago.
        host.show(jobs.getOrDefault(job.id(), job), quota(job), nowSeconds);
      }
    }
    fresh.clear();
  }

  /** The highest priority that waits; null if nobody waits. */
  @Nullable Integer topPriority() {
    return gate.top();
  }

  /** What the policy decided becomes known at the gate. */
  void decided(Decision decision) {
    if (decision.target() == null) {
      gate.waits(decision.job());
    } else {
      gate.placed(decision.job());
    }
  }

  /** Whether the policy may give a job GPUs some time, as the nodes are. */
  boolean couldRun(Job job) {
    return host != null
        && isVisible(job)
        && !capacity.isOutside(job)
        && !tooLarge.contains(job.id());
  }

  int quota(Job job) {
    return config.quotaGpus().getOrDefault(job.user(), Integer.MAX_VALUE);
  }

  private int mostWorkers(Cluster cluster, Job job) {
    Demand asked = new Demand(job.spec().cpusPerGpu(), job.spec().memoryGbPerGpu() * 1e9);
    return cluster.mostWorkers(cluster.demand(asked, Lengths.profile(job.spec(), config.models())));
  }

  /** Why the policy is not shown a job that waits, in words; null if it is. */
  @Nullable String whyWithheld(Job job) {
    if (job.state() != JobState.QUEUED) {
      return null;
    }
    if (host == null) {
      return "no node is up and open for jobs";
    }
    if (tooLarge.contains(job.id())) {
      return "it needs %d GPUs, and the nodes that are up and open hold at most %d workers of it"
          .formatted(job.spec().minGpus(), mostWorkers(host.cluster(), job));
    }
    return gate.why(job);
  }
}
