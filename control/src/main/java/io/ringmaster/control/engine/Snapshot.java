package io.ringmaster.control.engine;

import io.ringmaster.control.job.Status;
import java.util.List;

/** All that an engine knows: its nodes, and every attempt that it was not told to forget. */
public record Snapshot(List<Node> nodes, List<Status> attempts) {
  public Snapshot {
    nodes = List.copyOf(nodes);
    attempts = List.copyOf(attempts);
  }
}
