package io.ringmaster.control.engine;

import io.ringmaster.control.job.Status;
import java.util.List;

/**
 * All that an engine knows: its nodes, every attempt that it was not told to forget, and every job
 * that people gave to the place itself and that is not over.
 */
public record Snapshot(List<Node> nodes, List<Status> attempts, List<Arrival> arrivals) {
  public Snapshot {
    nodes = List.copyOf(nodes);
    attempts = List.copyOf(attempts);
    arrivals = List.copyOf(arrivals);
  }

  /** Of a place that takes jobs from the plane alone. */
  public Snapshot(List<Node> nodes, List<Status> attempts) {
    this(nodes, attempts, List.of());
  }
}
