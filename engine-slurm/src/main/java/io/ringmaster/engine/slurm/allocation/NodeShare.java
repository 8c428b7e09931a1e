package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Node;
import io.ringmaster.engine.slurm.client.SlurmNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What an allocation has of a node.
 *
 * @param host as Slurm calls it
 * @param address where others reach it
 * @param gpus their numbers, as Slurm has them
 * @param kind of GPU; empty: Slurm does not say
 * @param memoryBytes infinite: Slurm does not count it
 */
record NodeShare(
    String host, String address, List<Integer> gpus, String kind, double cpus, double memoryBytes) {

  NodeShare {
    gpus = List.copyOf(gpus);
  }

  /** The same, with what Slurm says of the node as a whole. */
  NodeShare on(SlurmNode node) {
    return new NodeShare(
        host, node.address(), gpus, kind.isEmpty() ? node.gpu() : kind, cpus, memoryBytes);
  }

  /**
   * As the plane sees it.
   *
   * @param slots how many GPUs can be used
   */
  Node node(String name, int slots) {
    return new Node(
        name,
        slots,
        kind,
        cpus,
        memoryBytes,
        Double.NaN,
        List.of(),
        Map.of(),
        Node.Held.NOTHING,
        true);
  }

  Map<String, Object> json() {
    return Map.of(
        "host",
        host,
        "address",
        address,
        "gpus",
        gpus,
        "kind",
        kind,
        "cpus",
        cpus,
        // JSON has no infinity.
        "memory",
        Double.isInfinite(memoryBytes) ? -1 : memoryBytes);
  }

  static NodeShare of(Message message) throws IOException {
    double memory = message.number("memory");
    return new NodeShare(
        message.text("host"),
        message.text("address"),
        message.numbers("gpus"),
        message.text("kind"),
        message.number("cpus"),
        memory < 0 ? Double.POSITIVE_INFINITY : memory);
  }
}
