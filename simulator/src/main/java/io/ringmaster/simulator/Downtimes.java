package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When each server was away and each job failed, to check a run by. */
final class Downtimes {
  private final Cluster cluster;
  private final Jobs jobs;
  private final double toleranceSeconds;
  private final Map<Integer, List<Mishap>> ofServer = new HashMap<>();
  private final Map<String, List<Mishap>> ofJob = new HashMap<>();

  Downtimes(Cluster cluster, Jobs jobs, List<Mishap> mishaps, double toleranceSeconds) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.toleranceSeconds = toleranceSeconds;
    if (mishaps.isEmpty()) {
      return;
    }
    Map<String, List<Integer>> byName = new HashMap<>();
    Map<String, List<Integer>> byRack = new HashMap<>();
    for (int s = 0; s < cluster.size(); s++) {
      byName.computeIfAbsent(cluster.server(s).name(), _ -> new ArrayList<>()).add(s);
      byRack.computeIfAbsent(cluster.server(s).rack(), _ -> new ArrayList<>()).add(s);
    }
    for (Mishap mishap : mishaps) {
      String name = mishap.name();
      switch (mishap.kind()) {
        case JOB -> ofJob.computeIfAbsent(name, _ -> new ArrayList<>()).add(mishap);
        case NODE -> add(byName.getOrDefault(name, List.of()), mishap);
        case RACK -> add(byRack.getOrDefault(name, List.of()), mishap);
        case MAINTENANCE, DRAIN ->
            add(byName.getOrDefault(name, byRack.getOrDefault(name, List.of())), mishap);
      }
    }
  }

  private void add(List<Integer> servers, Mishap mishap) {
    servers.forEach(s -> ofServer.computeIfAbsent(s, _ -> new ArrayList<>()).add(mishap));
  }

  /** What is wrong with a time on a server, in words that follow the job; null if nothing is. */
  @Nullable String fault(int server, double fromSeconds, double toSeconds) {
    for (Mishap mishap : ofServer.getOrDefault(server, List.of())) {
      double from = mishap.atSeconds() + toleranceSeconds;
      double to = mishap.backSeconds() - toleranceSeconds;
      String name = cluster.server(server).name();
      if (mishap.kind() == Mishap.Kind.DRAIN) {
        if (fromSeconds > from && fromSeconds < to) {
          return "starts on server %s at %s s, which is drained".formatted(name, fromSeconds);
        }
      } else if (from < to && fromSeconds < to && toSeconds > from) {
        return "is on server %s from %s s to %s s, which is away from %s s to %s s"
            .formatted(name, fromSeconds, toSeconds, mishap.atSeconds(), mishap.backSeconds());
      }
    }
    return null;
  }

  /** Whether a segment of a job was ended by something that happened. */
  boolean stopped(int job, Placement place, double fromSeconds, double toSeconds) {
    return stopped(job, place, fromSeconds, toSeconds, false);
  }

  /** Whether that was a failure, and not on purpose. */
  boolean failed(int job, Placement place, double fromSeconds, double toSeconds) {
    return stopped(job, place, fromSeconds, toSeconds, true);
  }

  private boolean stopped(
      int job, Placement place, double fromSeconds, double toSeconds, boolean onlyFailures) {
    if (ofServer.isEmpty() && ofJob.isEmpty()) {
      return false;
    }
    boolean found =
        happens(ofJob.getOrDefault(jobs.id(job), List.of()), fromSeconds, toSeconds, onlyFailures);
    for (int i = 0; i < place.size() && !found; i++) {
      found =
          happens(
              ofServer.getOrDefault(place.server(i), List.of()),
              fromSeconds,
              toSeconds,
              onlyFailures);
    }
    return found;
  }

  /** What happens at the moment of a start does so before it. */
  private boolean happens(
      List<Mishap> mishaps, double fromSeconds, double toSeconds, boolean onlyFailures) {
    for (Mishap mishap : mishaps) {
      if (mishap.atSeconds() > fromSeconds
          && Math.abs(mishap.atSeconds() - toSeconds) <= toleranceSeconds
          && mishap.kind() != Mishap.Kind.DRAIN
          && (!onlyFailures || mishap.kind().isFailure())) {
        return true;
      }
    }
    return false;
  }
}
