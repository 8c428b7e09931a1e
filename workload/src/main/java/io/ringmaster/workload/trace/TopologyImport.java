package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.GpuPower;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.workload.Inputs;
import io.ringmaster.workload.Units;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which servers hang on which switches, as others write it: Slurm's topology.conf, nodes of
 * Kubernetes with labels, and the hosts of Alibaba's Lingjun network. It becomes a cluster in racks
 * and pods. None of the three says what links carry, so that is given.
 */
public final class TopologyImport {
  private static final int LONGEST = 1 << 27;
  private static final String GPUS = "gpus";
  private static final String GPU = "gpu";
  private static final String NIC = "nic";
  private static final String RACK = "rack";
  private static final String POD = "pod";
  private static final String LABELS = "labels";
  private static final int MOST_GPUS = 1024;
  private static final double MOST_TIMES = 1e6;

  /** What can be set. */
  public static final List<Parameter> PARAMETERS =
      List.of(
          Parameter.whole(GPUS, 8, 1, MOST_GPUS).saying("of a server, where the file does not say"),
          text(GPU, "v100", "a kind of GPU").saying("their kind, where the file does not say"),
          new Parameter(
                  NIC,
                  "10Gbps",
                  new Parameter.Pattern("a bandwidth such as 10Gbps", TopologyImport::isBandwidth),
                  "")
              .saying("bandwidth of a server's link"),
          Parameter.number(RACK, 1, 1, MOST_TIMES)
              .saying("oversubscription of racks: what their servers can send over what leaves"),
          Parameter.number(POD, 1, 1, MOST_TIMES)
              .saying("oversubscription of pods: what their racks can send over what leaves"),
          text(
                  LABELS,
                  "topology.kubernetes.io/rack,topology.kubernetes.io/zone",
                  "one or two labels with a comma between them")
              .saying("of Kubernetes: that of a node's rack, and that of its pod"));

  private static Parameter text(String name, String usual, String expected) {
    return new Parameter(
        name, usual, new Parameter.Pattern(expected, value -> !value.isEmpty()), "");
  }

  private static boolean isBandwidth(String value) {
    try {
      return Units.bytesPerSecond(value) > 0;
    } catch (BadInput _) {
      return false;
    }
  }

  /** A server and the switches above it, the nearest first. */
  private record Host(String name, int gpus, String gpu, List<String> above) {}

  private final Path file;
  private final Settings settings;
  private final List<Host> hosts = new ArrayList<>();

  private TopologyImport(Path file, Settings settings) {
    this.file = file;
    this.settings = settings;
  }

  /** Reads a file in whichever of the three forms it is. */
  public static Cluster read(Path file, Map<String, String> given) {
    Settings settings = Settings.of("import topology", PARAMETERS, given);
    String text = Inputs.text(file, LONGEST);
    TopologyImport reader = new TopologyImport(file, settings);
    String start = text.stripLeading();
    if (start.startsWith("{")) {
      reader.readKubernetes(text);
    } else if (start.startsWith("ip,DSW,PSW,ASW")) {
      reader.readLingjun(text);
    } else {
      reader.readSlurm(text);
    }
    return reader.cluster();
  }

  private void readLingjun(String text) {
    List<String> lines = text.lines().toList();
    for (int i = 1; i < lines.size(); i++) {
      String[] fields = lines.get(i).split(",", -1);
      if (lines.get(i).isBlank()) {
        continue;
      }
      if (fields.length != 4 || Arrays.stream(fields).anyMatch(String::isBlank)) {
        throw bad(i + 1, "expected ip, DSW, PSW and ASW with commas between them");
      }
      // Names are hashes of addresses: a short one is enough to tell them apart. Switches of racks
      // are numbered in each pod anew.
      add(
          fields[0].substring(0, Math.min(12, fields[0].length())),
          List.of(fields[2] + "-" + fields[3], fields[2]));
    }
  }

  private void readKubernetes(String text) {
    String[] labels = settings.text(LABELS).split(",", -1);
    JsonItems.each(
        file,
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
        "items",
        Set.of("kind", "metadata", "spec", "status"),
        (item, line) -> {
          KubeNode node = KubeNode.of(item);
          if (!item.text("kind").equals("Node") || node.gpus() == 0) {
            return;
          }
          List<String> above =
              Arrays.stream(labels).map(l -> node.labels().getOrDefault(l, "")).toList();
          if (above.getFirst().isEmpty()) {
            throw bad(
                line,
                "node %s has no label %s; --set labels= names others"
                    .formatted(Inputs.shown(node.name()), labels[0]));
          }
          hosts.add(
              new Host(
                  node.name(),
                  node.gpus(),
                  node.gpuKind().isEmpty()
                      ? settings.text(GPU)
                      : node.gpuKind().toLowerCase(Locale.ROOT),
                  above.stream().filter(name -> !name.isEmpty()).toList()));
        });
  }

  /**
   * Lines such as {@code SwitchName=s0 Nodes=tux[0-3]} and {@code SwitchName=top Switches=s0,s1}.
   */
  private void readSlurm(String text) {
    Map<String, String> above = new HashMap<>();
    Map<String, List<String>> nodes = new LinkedHashMap<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Map<String, String> words = words(lines.get(i));
      String name = words.get("switchname");
      if (name == null) {
        continue;
      }
      for (String below : expand(words.getOrDefault("switches", ""), i + 1)) {
        above.put(below, name);
      }
      List<String> here = expand(words.getOrDefault("nodes", ""), i + 1);
      if (!here.isEmpty()) {
        nodes.put(name, here);
      }
    }
    nodes.forEach((leaf, names) -> {
      List<String> path = new ArrayList<>(List.of(leaf));
      String next = above.get(leaf);
      // What is above all is the core.
      if (next != null && above.containsKey(next)) {
        path.add(next);
      }
      names.forEach(name -> add(name, path));
    });
  }

  private static Map<String, String> words(String line) {
    Map<String, String> words = new HashMap<>();
    for (String word : line.replaceFirst("#.*", "").trim().split("\\s+", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        words.put(word.substring(0, equals).toLowerCase(Locale.ROOT), word.substring(equals + 1));
      }
    }
    return words;
  }

  private List<String> expand(String list, long line) {
    try {
      return list.isEmpty() ? List.of() : HostList.expand(list);
    } catch (IllegalArgumentException _) {
      throw bad(line, "'%s' is no list of hosts".formatted(Inputs.shown(list)));
    }
  }

  private void add(String name, List<String> above) {
    hosts.add(new Host(name, settings.whole(GPUS), settings.text(GPU), above));
  }

  private BadInput bad(long line, String what) {
    return new BadInput("%s:%d: %s".formatted(file, line, what));
  }

  private Cluster cluster() {
    if (hosts.isEmpty()) {
      throw new BadInput(
          ("%s: names no servers; expected Slurm's topology.conf, nodes of kubectl get nodes -o"
                  + " json, or a table with the columns ip,DSW,PSW,ASW")
              .formatted(file));
    }
    boolean pods = hosts.stream().allMatch(host -> host.above().size() > 1);
    double nic = Units.bytesPerSecond(settings.text(NIC));
    Map<String, Integer> inRack = new LinkedHashMap<>();
    Map<String, String> podOf = new HashMap<>();
    Set<String> names = new HashSet<>();
    List<Server> servers = new ArrayList<>();
    for (Host host : hosts) {
      if (!names.add(host.name())) {
        throw new BadInput(
            "%s: server %s is there twice".formatted(file, Inputs.shown(host.name())));
      }
      String pod = pods ? host.above().get(1) : "";
      String rack = host.above().getFirst();
      if (!podOf.getOrDefault(rack, pod).equals(pod)) {
        throw new BadInput(
            "%s: rack %s is in pod %s and in pod %s; a rack is in one pod"
                .formatted(
                    file,
                    Inputs.shown(rack),
                    Inputs.shown(podOf.getOrDefault(rack, "")),
                    Inputs.shown(pod)));
      }
      podOf.put(rack, pod);
      inRack.merge(rack, 1, Integer::sum);
      servers.add(
          new Server(
              host.name(),
              host.gpus(),
              host.gpu(),
              rack,
              nic,
              Server.USUAL_INTRA_BYTES_PER_SECOND,
              Double.POSITIVE_INFINITY,
              Double.POSITIVE_INFINITY,
              GpuPower.watts(host.gpu())));
    }
    return new Cluster(
        "topology",
        servers,
        racks(inRack, podOf, nic),
        Network.Contention.USUAL,
        Cluster.USUAL_RESTART_SECONDS);
  }

  private List<Rack> racks(Map<String, Integer> inRack, Map<String, String> podOf, double nic) {
    double rackTimes = settings.number(RACK);
    Map<String, Double> podUplinks = new HashMap<>();
    inRack.forEach((rack, count) ->
        podUplinks.merge(
            podOf.getOrDefault(rack, ""),
            count * nic / rackTimes / settings.number(POD),
            Double::sum));
    List<Rack> racks = new ArrayList<>();
    inRack.forEach((rack, count) -> {
      String pod = podOf.getOrDefault(rack, "");
      double podUplink = podUplinks.getOrDefault(pod, 0.0);
      racks.add(
          new Rack(rack, count * nic / rackTimes, pod.isEmpty() ? null : new Pod(pod, podUplink)));
    });
    return racks;
  }
}
