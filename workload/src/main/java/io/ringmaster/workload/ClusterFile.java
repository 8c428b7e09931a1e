package io.ringmaster.workload;

import io.ringmaster.model.AllReduceCost;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.GpuPower;
import io.ringmaster.model.Maintenance;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
      List.of(
          "name",
          "servers",
          "racks",
          "pods",
          "network",
          "start",
          "restart",
          "failures",
          "maintenance");
  private static final List<String> SERVER_KEYS =
      List.of(
          "count", "gpus", "gpu", "rack", "pod", "nic", "intra", "cpus", "memory", "power", "name");
  private static final List<String> FAILURES_KEYS =
      List.of("node", "repair", "repairVaries", "rack", "job");
  private static final List<String> MAINTENANCE_KEYS =
      List.of("server", "rack", "at", "for", "drain");
  private static final List<String> NETWORK_KEYS =
      List.of(
          "model",
          "xi1",
          "alpha",
          "overhead",
          "reduceRate",
          "cap",
          "slot",
          "slack",
          "reserve",
          "overlap",
          "microBatches",
          "startup",
          "perByte",
          "penalty",
          "tiers");

  static final String BANDWIDTH = "a bandwidth such as 10Gbps";
  private static final String PER_BYTE = "a time for a size such as 0.856ms/MB";
  private static final String DURATION = "a duration such as 10s";
  private static final String RATE = "a rate such as 4/1000d";
  private static final double UNCOUNTED = Double.POSITIVE_INFINITY;
  private static final int MOST_MICRO_BATCHES = 1_000_000;

  private ClusterFile() {}

  /** Reads a cluster. Its name, if the file gives none, is the file's without the ending. */
  public static Cluster read(Path file) {
    String shown = file.toString();
    YamlMap root =
        new YamlMap(shown, YamlFile.compose(file, "a cluster with servers"), "the cluster", KEYS);
    List<Server> servers = new ArrayList<>();
    Set<String> names = new HashSet<>();
    ClusterTiers tiers = new ClusterTiers(shown);
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
      tiers.add(entry);
      addServers(entry, count, each, servers, names);
    }
    YamlMap network =
        root.has("network")
            ? new YamlMap(shown, root.required("network"), "the network", NETWORK_KEYS)
            : null;
    double restart =
        root.quantity("restart", Cluster.USUAL_RESTART_SECONDS, DURATION, Units::seconds);
    return new Cluster(
            root.text("name", baseName(file)),
            servers,
            tiers.racks(root, network, servers),
            network == null ? Network.Contention.USUAL : network(network),
            restart)
        .costing(root.quantity("start", 0, DURATION, Units::seconds), restart)
        .failing(
            root.has("failures") ? failures(shown, root.required("failures")) : Failures.NONE,
            root.has("maintenance") ? maintenance(shown, root, servers) : List.of());
  }

  /** Rates that are not said are what is usual, as soon as anything fails. */
  private static Failures failures(String file, Node node) {
    YamlMap map = new YamlMap(file, node, "failures", FAILURES_KEYS);
    Failures usual = Failures.USUAL;
    return new Failures(
        map.quantity("node", usual.serversPerThousandDays(), RATE, Units::perThousandDays),
        map.quantity("repair", usual.repairSeconds(), DURATION, Units::seconds),
        map.quantity("rack", usual.racksPerThousandDays(), RATE, Units::perThousandDays),
        map.quantity("job", usual.jobsPerThousandGpuDays(), RATE, Units::perThousandDays),
        map.flag("repairVaries", usual.repairVaries()));
  }

  private static List<Maintenance> maintenance(String file, YamlMap root, List<Server> servers) {
    List<Maintenance> all = new ArrayList<>();
    for (Node node : root.list("maintenance", "a list of times")) {
      YamlMap entry = new YamlMap(file, node, "a maintenance", MAINTENANCE_KEYS);
      boolean isRack = entry.has("rack");
      if (isRack == entry.has("server")) {
        throw entry.bad(
            "server", "a maintenance is of either a server or a rack; name one of them");
      }
      entry.required("at");
      entry.required("for");
      String name = entry.text(isRack ? "rack" : "server", "");
      Maintenance one =
          new Maintenance(
              name,
              isRack,
              entry.quantity("at", 0, DURATION, Units::seconds),
              entry.quantity("for", 0, DURATION, Units::seconds),
              entry.quantity("drain", 0, DURATION, Units::seconds));
      if (servers.stream().noneMatch(one::takes)) {
        throw entry.bad(
            isRack ? "rack" : "server",
            isRack
                ? "no server is in rack '%s'; racks of servers are %s"
                    .formatted(Inputs.shown(name), ClusterTiers.rackNames(servers))
                : "no server is named '%s'; %s"
                    .formatted(
                        Inputs.shown(name),
                        Settings.Nearest.hint(
                            name, servers.stream().limit(1000).map(Server::name).toList())));
      }
      all.add(one);
    }
    return all;
  }

  private static String baseName(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(0, dot);
  }

  private static void addServers(
      YamlMap entry, int count, int gpus, List<Server> servers, Set<String> names) {
    String gpu = entry.text("gpu", "v100");
    String rack = entry.text("rack", ClusterTiers.USUAL_RACK);
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

  /** The network of the model that is named; what is said for the other models must make sense. */
  private static Network network(YamlMap map) {
    RingTerms terms = terms(map);
    List<Network> models =
        List.of(
            new Network.Contention(terms),
            new Network.Transmit(terms),
            new Network.Shifted(
                terms,
                map.number(
                    "slack",
                    Network.Shifted.USUAL_SLACK,
                    "a share of at least 0, such as 0.03",
                    x -> x >= 0)),
            new Network.Priority(terms),
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
