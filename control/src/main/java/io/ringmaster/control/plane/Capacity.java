package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a policy may give away: the open nodes of the inventory, without the GPUs of jobs that it has
 * no say in, which are those that run on other nodes too, those that are lost, and those
 * that it is to leave alone.
 */
final class Capacity {
  private final Set<String> open = new HashSet<>();
  private final Map<String, Integer> gpus = new HashMap<>();
  private final Set<Long> pinned;
  private final @Nullable Cluster cluster;
  private final String signature;

  /**
   * Looks at the nodes.
   *
   * @param pinned jobs with GPUs that the policy is to leave alone
   */
  Capacity(
      Inventory inventory, Experience experience, Collection<Job> jobs, Set<Long> pinned) {
    this.pinned = Set.copyOf(pinned);
    List<Server> usable = inventory.open();
    for (Server server : usable) {
      open.add(server.name());
      gpus.put(server.name(), server.gpus());
    }
    closeOvercommitted(jobs);
    Map<String, Double> cpus = new HashMap<>();
    Map<String, Double> memoryGb = new HashMap<>();
    for (Job job : jobs) {
      Allocation taken = job.target() == null ? job.held() : job.target();
      if (taken != null && isOutside(job)) {
        for (Allocation.Share share : taken.shares()) {
          gpus.merge(share.node(), -share.gpus(), Integer::sum);
          cpus.merge(share.node(), share.gpus() * job.spec().cpusPerGpu(), Double::sum);
          memoryGb.merge(share.node(), share.gpus() * job.spec().memoryGbPerGpu(), Double::sum);
        }
      }
    }
    List<Server> servers = new ArrayList<>();
    for (Server server : usable) {
      String name = server.name();
      int left = open.contains(name) ? gpus.getOrDefault(name, 0) : 0;
      if (left > 0) {
        servers.add(
            server.limited(
                left,
                server.cpus() - cpus.getOrDefault(name, 0.0),
                server.memoryBytes() - 1e9 * memoryGb.getOrDefault(name, 0.0)));
      }
    }
    cluster = servers.isEmpty() ? null : experience.priced(inventory.whole().having(servers));
    signature = servers + " " + new TreeSet<>(pinned);
  }

  /** A node that has fewer GPUs than were given away: the policy cannot make sense of it. */
  private void closeOvercommitted(Collection<Job> jobs) {
    Map<String, Integer> given = new HashMap<>();
    for (Job job : jobs) {
      Allocation target = job.target();
      if (target != null) {
        target.shares().forEach(s -> given.merge(s.node(), s.gpus(), Integer::sum));
      }
    }
    given.forEach((node, taken) -> {
      if (taken > gpus.getOrDefault(node, 0)) {
        open.remove(node);
      }
    });
  }

  /** What is left; null if nothing is. */
  @Nullable Cluster cluster() {
    return cluster;
  }

  /** Two that are equal here are the same to a policy. */
  String signature() {
    return signature;
  }

  /** Whether a job was promised GPUs, which it does not hold yet, of nodes that are not open. */
  boolean isDisplaced(Job job) {
    return (job.state() == JobState.PLACED || job.state() == JobState.CHECKPOINTING)
        && !isOpen(job.target());
  }

  /** Whether a job has GPUs and the policy has no say in it. */
  boolean isOutside(Job job) {
    if (job.target() != null && pinned.contains(job.id())) {
      return true;
    }
    return switch (job.state()) {
      case STARTING, RUNNING -> !isOpen(job.target());
      case LOST -> true;
      default -> false;
    };
  }

  private boolean isOpen(@Nullable Allocation allocation) {
    return allocation == null
        || allocation.shares().stream().allMatch(s -> open.contains(s.node()));
  }
}
