package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a policy may give away: the open nodes of the inventory, without the GPUs of jobs that it
 * has no say in, which are those that run on other nodes too, those that are lost, and those that
 * it is to leave alone.
 */
final class Capacity {
  /** Nodes that are open, by name, in the order of the inventory. */
  private final Map<String, Server> open = new LinkedHashMap<>();

  private final Set<Long> pinned;
  private final @Nullable Cluster cluster;
  private final @Nullable Cluster unpinned;
  private final String signature;
  private final String whyClosed;

  /**
   * @param pinned jobs with GPUs that the policy is to leave alone
   */
  Capacity(Inventory inventory, Experience experience, Collection<Job> jobs, Set<Long> pinned) {
    this.pinned = Set.copyOf(pinned);
    inventory.open().forEach(server -> open.put(server.name(), server));
    closeOvercommitted(jobs);
    whyClosed =
        inventory.rows().stream()
            .map(row -> row.node().whyClosed())
            .filter(why -> !why.isEmpty())
            .distinct()
            .collect(Collectors.joining("; "));
    List<Server> servers = without(jobs.stream().filter(this::isOutside));
    cluster = cluster(inventory, experience, servers);
    unpinned =
        pinned.isEmpty()
            ? cluster
            : cluster(
                inventory,
                experience,
                without(jobs.stream().filter(job -> isOutside(job) && !isPinned(job))));
    signature = servers + " " + new TreeSet<>(pinned);
  }

  private List<Server> without(Stream<Job> jobs) {
    Map<String, Node.Held> outside = new HashMap<>();
    jobs.forEach(job -> add(job, outside));
    List<Server> servers = new ArrayList<>();
    for (Server server : open.values()) {
      Node.Held taken = outside.getOrDefault(server.name(), Node.Held.NOTHING);
      if (server.gpus() > taken.gpus()) {
        servers.add(
            server.limited(
                server.gpus() - taken.gpus(),
                server.cpus() - taken.cpus(),
                server.memoryBytes() - taken.memoryBytes()));
      }
    }
    return servers;
  }

  private static @Nullable Cluster cluster(
      Inventory inventory, Experience experience, List<Server> servers) {
    return servers.isEmpty() ? null : experience.priced(inventory.whole().having(servers));
  }

  private static void add(Job job, Map<String, Node.Held> taken) {
    Allocation allocation = job.target() == null ? job.held() : job.target();
    if (allocation != null) {
      for (Allocation.Share share : allocation.shares()) {
        Node.Held part =
            new Node.Held(
                share.gpus(),
                share.gpus() * job.spec().cpusPerGpu(),
                share.gpus() * job.spec().memoryGbPerGpu() * 1e9);
        taken.merge(share.node(), part, Node.Held::plus);
      }
    }
  }

  /**
   * A node that has less than was given away, since it shrank or others took a part of it: the
   * policy cannot make sense of it.
   */
  private void closeOvercommitted(Collection<Job> jobs) {
    Map<String, Node.Held> given = new HashMap<>();
    jobs.stream()
        .filter(job -> job.target() != null || job.state() == JobState.LOST)
        .forEach(job -> add(job, given));
    open.values()
        .removeIf(server -> !given.getOrDefault(server.name(), Node.Held.NOTHING).fits(server));
  }

  /** What is left; null if nothing is. */
  @Nullable Cluster cluster() {
    return cluster;
  }

  /** What would be left if no job were pinned. */
  @Nullable Cluster unpinned() {
    return unpinned;
  }

  /** Why nodes are closed, as far as the engine says; empty: it does not. */
  String whyClosed() {
    return whyClosed;
  }

  private boolean isPinned(Job job) {
    return job.target() != null && pinned.contains(job.id());
  }

  /** Two that are equal here are the same to a policy. */
  String signature() {
    return signature;
  }

  /** Whether a job was promised GPUs, which it does not hold yet, of nodes that are not open. */
  boolean isDisplaced(Job job) {
    return (job.state() == JobState.PLACED || job.state().isMakingRoom()) && !isOpen(job.target());
  }

  /** Whether a job has GPUs and the policy has no say in it. */
  boolean isOutside(Job job) {
    if (isPinned(job)) {
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
        || allocation.shares().stream().allMatch(s -> open.containsKey(s.node()));
  }
}
