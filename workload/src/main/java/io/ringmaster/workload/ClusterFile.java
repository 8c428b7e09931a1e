package io.ringmaster.workload;

import io.ringmaster.model.AllReduceCost;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
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

  /** A million servers with a line each still fit. */
  private static final int LONGEST_FILE = 1 << 28;

  private static final List<String> KEYS = List.of("name", "servers", "network", "restart");
  private static final List<String> SERVER_KEYS =
      List.of("count", "gpus", "gpu", "rack", "nic", "intra", "name");
  private static final List<String> NETWORK_KEYS =
      List.of(
          "model",
          "xi1",
          "alpha",
          "overhead",
          "reduceRate",
          "cap",
          "slot",
          "startup",
          "perByte",
          "penalty");

  private static final String BANDWIDTH = "a bandwidth such as 10Gbps";
  private static final String PER_BYTE = "a time for a size such as 0.856ms/MB";
  private static final String DURATION = "a duration such as 10s";
  private static final double NIC_BYTES_PER_SECOND = 10e9 / 8;
  private static final double INTRA_BYTES_PER_SECOND = 300e9 / 8;
  private static final double RESTART_SECONDS = 10;

  private static final Map<String, Network.Kind> KINDS = new LinkedHashMap<>();

  static {
    for (Network.Kind kind : Network.Kind.values()) {
      KINDS.put(word(kind), kind);
    }
  }

  private ClusterFile() {}

  private static String word(Network.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a cluster. Its name, if the file gives none, is the file's without the ending.
   *
   * @throws BadInput for the first mistake, with file, line, column, value and what was expected
   */
  public static Cluster read(Path file) {
    String shown = file.toString();
    YamlMap root = new YamlMap(shown, compose(file), "the cluster", KEYS);
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
    return new Cluster(
        root.text("name", baseName(file)),
        servers,
        root.has("network") ? network(shown, root.required("network")) : Network.DEFAULT,
        root.quantity("restart", RESTART_SECONDS, DURATION, Units::seconds));
  }

  private static Node compose(Path file) {
    String shown = file.toString();
    String text = Inputs.text(file);
    LoadSettings settings =
        LoadSettings.builder().setLabel(shown).setCodePointLimit(LONGEST_FILE).build();
    try {
      return new Compose(settings)
          .composeString(text)
          .orElseThrow(
              () -> new BadInput(file + ": the file is empty; expected a cluster with servers"));
    } catch (MarkedYamlEngineException e) {
      boolean half = e.getProblem().startsWith("but ");
      String problem = half ? e.getContext() + ", " + e.getProblem() : e.getProblem();
      throw YamlMap.bad(
          shown, e.getProblemMark().orElse(null), "not valid YAML: " + oneLine(problem));
    } catch (ReaderException e) {
      String before = text.substring(0, Math.max(0, text.indexOf(e.getCodePoint())));
      throw new BadInput(
          "%s:%d:%d: not valid YAML: the character U+%04X is not allowed"
              .formatted(
                  shown,
                  1 + before.chars().filter(c -> c == '\n').count(),
                  before.length() - before.lastIndexOf('\n'),
                  e.getCodePoint()));
    } catch (YamlEngineException e) {
      throw new BadInput(shown + ": not valid YAML: " + oneLine(String.valueOf(e.getMessage())));
    }
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", "; ").replaceAll("\\p{Cntrl}", "?");
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
    double nic = entry.quantity("nic", NIC_BYTES_PER_SECOND, BANDWIDTH, Units::bytesPerSecond);
    double intra =
        entry.quantity("intra", INTRA_BYTES_PER_SECOND, BANDWIDTH, Units::bytesPerSecond);
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
      servers.add(new Server(name, gpus, gpu, rack, nic, intra));
    }
  }

  /** 0001, 0002, ... as in the names that servers have by default. */
  private static String number(int index) {
    return Cluster.serverName(index).substring(1);
  }

  private static Network network(String file, Node node) {
    YamlMap map = new YamlMap(file, node, "the network", NETWORK_KEYS);
    Network usual = Network.DEFAULT;
    return new Network(
        kind(map),
        map.number("xi1", usual.xi1(), "a number above 0 and up to 1", x -> x > 0 && x <= 1),
        map.number("alpha", usual.alpha(), "a number of at least 0", a -> a >= 0),
        map.quantity("overhead", usual.overheadSeconds(), DURATION, Units::seconds),
        map.quantity(
            "reduceRate",
            usual.reduceBytesPerSecond(),
            "a bandwidth such as 100GB/s",
            Units::bytesPerSecond),
        map.number("cap", usual.cap(), "a share of at least 0, such as 0.15", c -> c >= 0),
        map.quantity("slot", usual.slotSeconds(), DURATION, Units::seconds),
        new AllReduceCost(
            map.quantity("startup", usual.cost().startupSeconds(), DURATION, Units::seconds),
            map.quantity("perByte", usual.cost().secondsPerByte(), PER_BYTE, ClusterFile::perByte),
            map.quantity(
                "penalty",
                usual.cost().contentionSecondsPerByte(),
                PER_BYTE,
                Units::secondsPerByte)));
  }

  /** Nothing is sent in no time. */
  private static double perByte(String text) {
    double value = Units.secondsPerByte(text);
    if (value == 0) {
      throw new BadInput("'%s' is not above 0".formatted(text));
    }
    return value;
  }

  private static Network.Kind kind(YamlMap map) {
    String word = map.text("model", "contention");
    Network.Kind kind = KINDS.get(word);
    if (kind != null) {
      return kind;
    }
    throw map.bad(
        "model",
        word.equals("share")
            ? "model: 'share' comes with a later version; this one has "
                + String.join(", ", KINDS.keySet())
            : "model: unknown network model '%s'; %s"
                .formatted(
                    Inputs.shown(word), Settings.Nearest.hint(word, List.copyOf(KINDS.keySet()))));
  }

  /** Writes a cluster so that it reads back the same. */
  public static void write(Path file, Cluster cluster) {
    AtomicFile.write(file, text(cluster));
  }

  /** A cluster as a file holds it, runs of equal servers put together. */
  public static String text(Cluster cluster) {
    StringBuilder out = new StringBuilder();
    out.append("name: ").append(scalar(cluster.name())).append("\nservers:\n");
    for (int from = 0; from < cluster.size(); ) {
      int to = runEnd(cluster, from);
      appendServers(out, cluster, from, to);
      from = to;
    }
    Network network = cluster.network();
    out.append("network:\n  model: ").append(word(network.kind()));
    out.append("\n  xi1: ").append(CsvOutput.plain(network.xi1()));
    out.append("\n  alpha: ").append(CsvOutput.plain(network.alpha()));
    out.append("\n  overhead: ").append(Units.duration(network.overheadSeconds()));
    out.append("\n  reduceRate: ").append(Units.bytes(network.reduceBytesPerSecond()));
    if (network.cap() != Double.POSITIVE_INFINITY) {
      out.append("\n  cap: ").append(CsvOutput.plain(network.cap()));
    }
    if (network.slotSeconds() > 0) {
      out.append("\n  slot: ").append(Units.duration(network.slotSeconds()));
    }
    if (network.kind() == Network.Kind.MEASURED) {
      AllReduceCost cost = network.cost();
      out.append("\n  startup: ").append(Units.duration(cost.startupSeconds()));
      out.append("\n  perByte: ").append(Units.perByte(cost.secondsPerByte()));
      out.append("\n  penalty: ").append(Units.perByte(cost.contentionSecondsPerByte()));
    }
    out.append("\nrestart: ").append(Units.duration(cluster.restartSeconds())).append('\n');
    return out.toString();
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
    out.append(", nic: ").append(Units.bits(server.nicBytesPerSecond()));
    out.append(", intra: ").append(Units.bits(server.intraBytesPerSecond()));
    if (!server.name().equals(Cluster.serverName(from))) {
      String name = server.name();
      String written = to - from > 1 ? prefix(name) : name;
      out.append(", name: ").append(scalar(written));
    }
    out.append("}\n");
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
      String name = usual ? Cluster.serverName(to) : prefix + number(to - from);
      Server same =
          new Server(
              name,
              first.gpus(),
              first.gpu(),
              first.rack(),
              first.nicBytesPerSecond(),
              first.intraBytesPerSecond());
      if (!next.equals(same)) {
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
