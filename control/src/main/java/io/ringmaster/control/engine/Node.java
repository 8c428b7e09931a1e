package io.ringmaster.control.engine;

import io.ringmaster.model.Server;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node of the live world, as an engine finds it. What an engine cannot tell it leaves open.
 *
 * @param name has neither ':' nor ','
 * @param gpus all it has, whoever holds them
 * @param gpu their kind; empty: not known
 * @param cpus processor cores; infinite: not counted
 * @param memoryBytes infinite: not counted
 * @param nicBytesPerSecond bandwidth to other nodes; NaN: not known
 * @param path the switches that it hangs on, from its rack up; empty: not known
 * @param labels whatever else is said of it
 * @param others what is held there by jobs that this plane did not start
 * @param up whether attempts can be started there now
 */
public record Node(
    String name,
    int gpus,
    String gpu,
    double cpus,
    double memoryBytes,
    double nicBytesPerSecond,
    List<String> path,
    Map<String, String> labels,
    Held others,
    boolean up) {
  /** Labels that begin so are marks: jobs can ask for nodes that have one. */
  public static final String MARK = "mark/";

  private static final String CLOSED = "closed";

  /** A part of what a node has. */
  public record Held(int gpus, double cpus, double memoryBytes) {
    public static final Held NOTHING = new Held(0, 0, 0);

    /** Sums of shares are not exact. */
    private static final double SLACK = 1 + 1e-9;

    public Held plus(Held other) {
      return new Held(gpus + other.gpus, cpus + other.cpus, memoryBytes + other.memoryBytes);
    }

    /** Whether a server has so much. */
    public boolean fits(Server server) {
      return gpus <= server.gpus()
          && cpus <= server.cpus() * SLACK
          && memoryBytes <= server.memoryBytes() * SLACK;
    }
  }

  public Node {
    path = List.copyOf(path);
    labels = Map.copyOf(labels);
    if (name.isEmpty() || name.matches(".*[:,].*")) {
      throw new IllegalArgumentException("'%s' is no name of a node".formatted(name));
    }
    if (gpus < 0 || others.gpus < 0) {
      throw new IllegalArgumentException(
          "node %s with %d GPUs, %d of them held by others".formatted(name, gpus, others.gpus));
    }
  }

  /** A node of which no more is known than how many GPUs it has. */
  public Node(String name, int gpus, boolean up) {
    this(
        name,
        gpus,
        "",
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        Double.NaN,
        List.of(),
        Map.of(),
        Held.NOTHING,
        up);
  }

  /** A node that is said to be like this and was not seen yet. */
  public static Node unseen(Server server) {
    return new Node(
        server.name(),
        server.gpus(),
        server.gpu(),
        server.cpus(),
        server.memoryBytes(),
        server.nicBytesPerSecond(),
        List.of(server.rack()),
        Map.of(),
        Held.NOTHING,
        false);
  }

  /** The same node, where nothing can be started for a reason that people are to know. */
  public Node closedBecause(String why) {
    Map<String, String> told = new HashMap<>(labels);
    told.put(CLOSED, why);
    return new Node(
        name, gpus, gpu, cpus, memoryBytes, nicBytesPerSecond, path, told, others, false);
  }

  /** Why nothing can be started there, as far as the engine says; empty: it does not. */
  public String whyClosed() {
    return up ? "" : labels.getOrDefault(CLOSED, "");
  }

  /** The same node, where attempts can be started or not. */
  public Node up(boolean can) {
    return new Node(
        name, gpus, gpu, cpus, memoryBytes, nicBytesPerSecond, path, labels, others, can);
  }

  /** The same node, with other labels. */
  public Node labelled(Map<String, String> other) {
    return new Node(name, gpus, gpu, cpus, memoryBytes, nicBytesPerSecond, path, other, others, up);
  }

  /** The same node, of which others hold so much. */
  public Node heldByOthers(Held held) {
    return new Node(name, gpus, gpu, cpus, memoryBytes, nicBytesPerSecond, path, labels, held, up);
  }
}
