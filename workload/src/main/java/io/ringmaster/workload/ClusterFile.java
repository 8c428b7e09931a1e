package io.ringmaster.workload;

import io.ringmaster.model.AllReduceCost;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.GpuPower;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Rack;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The cluster file, in YAML.
 *
 * <p>Only {@code servers} must be there, and in each entry {@code gpus}. An entry stands for {@code
 * count} equal servers. Servers are called s0001, s0002, ... by their place in the whole file,
 * unless the entry has a {@code name}: with a count of 1 that is the server's name; with more it
 * comes before the number, which then starts from 0001 in this entry.
 */
public final class ClusterFile {
  private static final int MOST_SERVERS = 1_000_000;
  private static final int MOST_GPUS = JobRows.MOST_GPUS;

  private static final List<String> KEYS =
      List.of("name", "servers", "racks", "network", "start", "restart");
  private static final List<String> SERVER_KEYS =
      List.of("count", "gpus", "gpu", "rack", "nic", "intra", "cpus", "memory", "power", "name");
  private static final List<String> RACK_KEYS = List.of("name", "uplink", "oversubscription");
  private static final List<String> NETWORK_KEYS =
      List.of(
          "model",
          "xi1",
          "alpha",
          "overhead",
          "reduceRate",
          "cap",
          "slot",
          "reserve",
          "overlap",
          "microBatches",
          "startup",
          "perByte",
          "penalty");

  private static final String BANDWIDTH = "a bandwidth such as 10Gbps";
  private static final String PER_BYTE = "a time for a size such as 0.856ms/MB";
  private static final String DURATION = "a duration such as 10s";
  private static final double UNCOUNTED = Double.POSITIVE_INFINITY;
  private static final int MOST_MICRO_BATCHES = 1_000_000;

  private ClusterFile() {}

  /** * Reads a cluster. Its name, if the file gives none, is the file's without the ending. */
  public static Cluster read(Path file) {
    String shown = file.toString();
    YamlMap root =
        new YamlMap(shown, YamlFile.compose(file, "a cluster with servers"), "the cluster", KEYS);
    List<Server> servers = new ArrayList<>();
    Set<String> names = new HashSet<>();
    long gpus = 0;
    for (Node node : root.list("servers", "a list of servers")) {
      YamlMap entry = new YamlMap(shown, node, "a server", SERVER_KEYS);
      int count = entry.whole("count", 1, MOST_SERVERS, 1);
      int each = entry.whole("gpus", 1, MOST_GPUS);
      gpus += (long) count * each;
      if (servers.size() + count > MOST_SERVERS) {
        throw entry.bad("count", "more than %d servers in all".formatted(MOST_SERVERS));
      }
      if (gpus > MOST_GPUS) {
        throw entry.bad("gpus", "more than %d GPUs in all".formatted(MOST_GPUS));
      }
      addServers(entry, count, each, servers, names);
    }
    double restart =
        root.quantity("restart", Cluster.USUAL_RESTART_SECONDS, DURATION, Units::seconds);
    return new Cluster(
            root.text("name", baseName(file)),
            servers,
            root.has("racks") ? racks(shown, root, servers) : List.of(),
            root.has("network")
                ? network(shown, root.required("network"))
                : Network.Contention.USUAL,
            restart)
        .costing(root.quantity("start", 0, DURATION, Units::seconds), restart);
  }

  private static String baseName(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(0, dot);
  }

  private static void addServers(
      YamlMap entry, int count, int gpus, List<Server> servers, Set<String> names) {
    String gpu = entry.text("gpu", "v100");
    String rack = entry.text("rack", "r1");
    double nic =
        entry.quantity("nic", Server.USUAL_NIC_BYTES_PER_SECOND, BANDWIDTH, Units::bytesPerSecond);
    double intra =
        entry.quantity(
            "intra", Server.USUAL_INTRA_BYTES_PER_SECOND, BANDWIDTH, Units::bytesPerSecond);
    double cpus = entry.number("cpus", UNCOUNTED, "a number above 0", c -> c > 0);
    double memory = entry.quantity("memory", UNCOUNTED, "a size such as 512GB", Units::bytes);
    double watts =
        entry.quantity("power", GpuPower.watts(gpu), "a power such as 300W", Units::watts);
    String prefix = entry.text("name", "");
    for (int i = 0; i < count; i++) {
      String name =
          prefix.isEmpty()
              ? Cluster.serverName(servers.size())
              : count == 1 ? prefix : prefix + number(i);
      if (!names.add(name)) {
        throw entry.bad(
            "name", "two servers are named '%s'; give them other names".formatted(name));
      }
      servers.add(new Server(name, gpus, gpu, rack, nic, intra, cpus, memory, watts));
    }
  }

  /** 0001, 0002, ... as in the names that servers have by default. */
  static String number(int index) {
    return Cluster.serverName(index).substring(1);
  }

  /** Racks in the order of the file. Each server's must be there. */
  private static List<Rack> racks(String file, YamlMap root, List<Server> servers) {
    Map<String, Double> nics = new LinkedHashMap<>();
    servers.forEach(s -> nics.merge(s.rack(), s.nicBytesPerSecond(), Double::sum));
    Set<String> names = new HashSet<>();
    List<Rack> racks = new ArrayList<>();
    for (Node node : root.list("racks", "a list of racks")) {
      YamlMap entry = new YamlMap(file, node, "a rack", RACK_KEYS);
      entry.required("name");
      String name = entry.text("name", "");
      Double inside = nics.get(name);
      if (inside == null) {
        throw entry.bad(
            "name",
            "no server is in rack '%s'; racks of servers are %s"
                .formatted(Inputs.shown(name), rackNames(servers)));
      }
      if (!names.add(name)) {
        throw entry.bad("name", "rack '%s' is there twice".formatted(Inputs.shown(name)));
      }
      racks.add(new Rack(name, uplink(entry, inside)));
    }
    for (String name : nics.keySet()) {
      if (!names.contains(name)) {
        String shown = Inputs.shown(name);
        throw root.bad(
            "racks",
            "rack '%s' of a server is not among the racks; add {name: %s, oversubscription: 1}"
                .formatted(shown, shown));
      }
    }
    return racks;
  }

  private static String rackNames(List<Server> servers) {
    return String.join(
        ", ", servers.stream().map(Server::rack).distinct().limit(5).map(Inputs::shown).toList());
  }

  /** All that the servers of a rack can send, over its factor, unless the file says it outright. */
  private static double uplink(YamlMap entry, double nicsBytesPerSecond) {
    if (entry.has("uplink") == entry.has("oversubscription")) {
      throw entry.bad(
          "uplink", "a rack has either an uplink, such as 100Gbps, or an oversubscription factor");
    }
    double factor =
        entry.number("oversubscription", 1, "a number of at least 1, such as 4", f -> f >= 1);
    return entry.quantity("uplink", nicsBytesPerSecond / factor, BANDWIDTH, Units::bytesPerSecond);
  }

  /** The network of the model that is named; what is said for the other models must make sense. */
  private static Network network(String file, Node node) {
    YamlMap map = new YamlMap(file, node, "the network", NETWORK_KEYS);
    RingTerms terms = terms(map);
    List<Network> models =
        List.of(
            new Network.Contention(terms),
            new Network.Transmit(terms),
            new Network.Reserved(
                terms,
                map.quantity("reserve", 0, "a bandwidth such as 1Gbps", Units::bytesPerSecond)),
            new Network.Share(terms, pipelining(map)),
            new Network.Measured(terms, cost(map)),
            new Network.None(terms));
    String word = map.text("model", Network.Contention.USUAL.word());
    return models.stream()
        .filter(model -> model.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            map.bad(
                "model",
                "model: unknown network model '%s'; %s"
                    .formatted(
                        Inputs.shown(word),
                        Settings.Nearest.hint(word, models.stream().map(Network::word).toList()))));
  }

  private static RingTerms terms(YamlMap map) {
    RingTerms usual = RingTerms.USUAL;
    return new RingTerms(
        map.number("xi1", usual.xi1(), "a number above 0 and up to 1", x -> x > 0 && x <= 1),
        map.number("alpha", usual.alpha(), "a number of at least 0", a -> a >= 0),
        map.quantity("overhead", usual.overheadSeconds(), DURATION, Units::seconds),
        map.quantity(
            "reduceRate",
            usual.reduceBytesPerSecond(),
            "a bandwidth such as 100GB/s",
            Units::bytesPerSecond),
        map.number("cap", usual.cap(), "a share of at least 0, such as 0.15", c -> c >= 0),
        map.quantity("slot", usual.slotSeconds(), DURATION, Units::seconds));
  }

  private static Pipelining pipelining(YamlMap map) {
    Pipelining usual = Pipelining.STEADY;
    return new Pipelining(
        map.flag("overlap", usual.overlap()),
        map.whole("microBatches", 1, MOST_MICRO_BATCHES, usual.microBatches()));
  }

  private static AllReduceCost cost(YamlMap map) {
    AllReduceCost usual = AllReduceCost.TEN_GIGABIT;
    return new AllReduceCost(
        map.quantity("startup", usual.startupSeconds(), DURATION, Units::seconds),
        map.quantity("perByte", usual.secondsPerByte(), PER_BYTE, ClusterFile::perByte),
        map.quantity("penalty", usual.contentionSecondsPerByte(), PER_BYTE, Units::secondsPerByte));
  }

  /** Nothing is sent in no time. */
  private static double perByte(String text) {
    double value = Units.secondsPerByte(text);
    if (value == 0) {
      throw new BadInput("'%s' is not above 0".formatted(text));
    }
    return value;
  }

  /** Writes a cluster so that it reads back the same. */
  public static void write(Path file, Cluster cluster) {
    AtomicFile.write(file, text(cluster));
  }

  /** A cluster as a file holds it, runs of equal servers put together. */
  public static String text(Cluster cluster) {
    return ClusterText.of(cluster);
  }
}
