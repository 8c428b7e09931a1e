package io.ringmaster.workload;

import io.ringmaster.model.AllReduceCost;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.GpuPower;
import io.ringmaster.model.Maintenance;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import java.util.List;
import java.util.Objects;

/** Writes what {@link ClusterFile} reads. */
final class ClusterText {
  private ClusterText() {}

  /** A cluster as a file holds it, runs of equal servers put together. */
  static String of(Cluster cluster) {
    StringBuilder out = new StringBuilder();
    out.append("name: ").append(scalar(cluster.name())).append("\nservers:\n");
    for (int from = 0; from < cluster.size(); ) {
      int to = runEnd(cluster, from);
      appendServers(out, cluster, from, to);
      from = to;
    }
    appendRacks(out, cluster);
    appendNetwork(out, cluster.network());
    appendTiers(out, cluster);
    if (cluster.startSeconds() > 0) {
      out.append("\nstart: ").append(Units.duration(cluster.startSeconds()));
    }
    out.append("\nrestart: ").append(Units.duration(cluster.restartSeconds())).append('\n');
    appendFailures(out, cluster);
    return out.toString();
  }

  private static void appendFailures(StringBuilder out, Cluster cluster) {
    Failures failures = cluster.failures();
    if (!failures.isNone()) {
      out.append("failures: {node: ").append(Units.rate(failures.serversPerThousandDays()));
      out.append(", repair: ").append(Units.duration(failures.repairSeconds()));
      if (failures.repairVaries()) {
        out.append(", repairVaries: true");
      }
      out.append(", rack: ").append(Units.rate(failures.racksPerThousandDays()));
      out.append(", job: ").append(Units.rate(failures.jobsPerThousandGpuDays())).append("}\n");
    }
    if (!cluster.maintenance().isEmpty()) {
      out.append("maintenance:\n");
    }
    for (Maintenance one : cluster.maintenance()) {
      out.append(one.isRack() ? "  - {rack: " : "  - {server: ").append(scalar(one.name()));
      out.append(", at: ").append(Units.duration(one.atSeconds()));
      out.append(", for: ").append(Units.duration(one.forSeconds()));
      out.append(", drain: ").append(Units.duration(one.drainSeconds())).append("}\n");
    }
  }

  private static void appendNetwork(StringBuilder out, Network network) {
    RingTerms terms = network.terms();
    out.append("network:\n  model: ").append(network.word());
    out.append("\n  xi1: ").append(CsvOutput.plain(terms.xi1()));
    out.append("\n  alpha: ").append(CsvOutput.plain(terms.alpha()));
    out.append("\n  overhead: ").append(Units.duration(terms.overheadSeconds()));
    out.append("\n  reduceRate: ").append(Units.bytes(terms.reduceBytesPerSecond()));
    if (terms.cap() != Double.POSITIVE_INFINITY) {
      out.append("\n  cap: ").append(CsvOutput.plain(terms.cap()));
    }
    if (terms.slotSeconds() > 0) {
      out.append("\n  slot: ").append(Units.duration(terms.slotSeconds()));
    }
    switch (network) {
      case Network.Reserved reserved -> {
        if (network.reservesFixed()) {
          out.append("\n  reserve: ").append(Units.bits(reserved.bytesPerSecond()));
        }
      }
      case Network.Share share -> {
        if (share.pipelining().overlap()) {
          out.append("\n  overlap: true");
        }
        if (share.pipelining().microBatches() > 0) {
          out.append("\n  microBatches: ").append(share.pipelining().microBatches());
        }
      }
      case Network.Measured measured -> {
        AllReduceCost cost = measured.cost();
        out.append("\n  startup: ").append(Units.duration(cost.startupSeconds()));
        out.append("\n  perByte: ").append(Units.perByte(cost.secondsPerByte()));
        out.append("\n  penalty: ").append(Units.perByte(cost.contentionSecondsPerByte()));
      }
      case Network.Shifted shifted ->
          out.append("\n  slack: ").append(CsvOutput.plain(shifted.slack()));
      case Network.Contention _, Network.Transmit _, Network.Priority _, Network.None _ -> {}
    }
  }

  private static void appendServers(StringBuilder out, Cluster cluster, int from, int to) {
    Server server = cluster.server(from);
    out.append("  - {");
    if (to - from > 1) {
      out.append("count: ").append(to - from).append(", ");
    }
    out.append("gpus: ").append(server.gpus());
    out.append(", gpu: ").append(scalar(server.gpu()));
    out.append(", rack: ").append(scalar(server.rack()));
    if (!cluster.pods().isEmpty()) {
      Pod pod = cluster.racks().get(cluster.topology().rack(from)).pod();
      out.append(", pod: ").append(scalar(Objects.requireNonNull(pod).name()));
    }
    out.append(", nic: ").append(Units.bits(server.nicBytesPerSecond()));
    out.append(", intra: ").append(Units.bits(server.intraBytesPerSecond()));
    if (Double.isFinite(server.cpus())) {
      out.append(", cpus: ").append(CsvOutput.plain(server.cpus()));
    }
    if (Double.isFinite(server.memoryBytes())) {
      out.append(", memory: ").append(Units.size(server.memoryBytes()));
    }
    if (server.gpuWatts() != GpuPower.watts(server.gpu())) {
      out.append(", power: ").append(CsvOutput.plain(server.gpuWatts())).append('W');
    }
    if (!server.name().equals(Cluster.serverName(from))) {
      String name = server.name();
      String written = to - from > 1 ? prefix(name) : name;
      out.append(", name: ").append(scalar(written));
    }
    out.append("}\n");
  }

  private static void appendRacks(StringBuilder out, Cluster cluster) {
    if (cluster.racks().isEmpty() || inEvenTiers(cluster)) {
      return;
    }
    out.append("racks:\n");
    cluster.racks().forEach(r -> appendSwitch(out, r.name(), r.uplinkBytesPerSecond()));
    if (!cluster.pods().isEmpty()) {
      out.append("pods:\n");
      cluster.pods().forEach(p -> appendSwitch(out, p.name(), p.uplinkBytesPerSecond()));
    }
  }

  private static void appendSwitch(StringBuilder out, String name, double uplink) {
    out.append("  - {name: ").append(scalar(name));
    out.append(", uplink: ").append(Units.bits(uplink)).append("}\n");
  }

  private static void appendTiers(StringBuilder out, Cluster cluster) {
    if (inEvenTiers(cluster)) {
      out.append("\n  tiers:");
      double rack = cluster.racks().getFirst().uplinkBytesPerSecond();
      out.append("\n    - {name: rack, uplink: ").append(Units.bits(rack)).append('}');
      double pod = cluster.pods().getFirst().uplinkBytesPerSecond();
      out.append("\n    - {name: pod, uplink: ").append(Units.bits(pod)).append('}');
    }
  }

  /** Whether one line for each tier says it all: pods, with the same uplinks, in usual order. */
  private static boolean inEvenTiers(Cluster cluster) {
    List<Rack> racks = cluster.racks();
    return !cluster.pods().isEmpty()
        && racks.stream().map(Rack::uplinkBytesPerSecond).distinct().count() == 1
        && cluster.pods().stream().map(Pod::uplinkBytesPerSecond).distinct().count() == 1
        && racks.stream()
            .map(Rack::name)
            .toList()
            .equals(cluster.servers().stream().map(Server::rack).distinct().toList());
  }

  /** The end of a run of servers that one entry can stand for. */
  private static int runEnd(Cluster cluster, int from) {
    Server first = cluster.server(from);
    boolean usual = first.name().equals(Cluster.serverName(from));
    String prefix = usual ? "" : prefix(first.name());
    if (!usual && prefix.isEmpty()) {
      return from + 1;
    }
    int to = from + 1;
    while (to < cluster.size()) {
      Server next = cluster.server(to);
      String name = usual ? Cluster.serverName(to) : prefix + ClusterFile.number(to - from);
      if (!next.equals(first.named(name))) {
        break;
      }
      to++;
    }
    return to;
  }

  /** What stands before 0001, empty if the name does not end so. */
  private static String prefix(String name) {
    return name.endsWith("0001") ? name.substring(0, name.length() - 4) : "";
  }

  /** A text as YAML, quoted unless it is plainly a word. */
  private static String scalar(String text) {
    if (text.matches("[A-Za-z][A-Za-z0-9._-]*") && !text.matches("(?i)null|true|false|yes|no")) {
      return text;
    }
    StringBuilder out = new StringBuilder("\"");
    text.codePoints()
        .forEach(c -> {
          if (c == '"' || c == '\\') {
            out.append('\\').appendCodePoint(c);
          } else if (c >= ' ' && c < 0x7f) {
            out.appendCodePoint(c);
          } else {
            out.append("\\U%08x".formatted(c));
          }
        });
    return out.append('"').toString();
  }
}
