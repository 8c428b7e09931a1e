package io.ringmaster.workload;

import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Racks and pods of a cluster file: {@code network.tiers} says what all of a tier have, {@code
 * racks} and {@code pods} what single ones have. A tier of which nothing is said is never in the
 * way.
 */
final class ClusterTiers {
  static final String USUAL_RACK = "r1";
  private static final String USUAL_POD = "p1";
  private static final List<String> SWITCH_KEYS = List.of("name", "uplink", "oversubscription");

  private final String file;

  /** By rack, in the order of the servers. */
  private final Map<String, String> podOf = new LinkedHashMap<>();

  ClusterTiers(String file) {
    this.file = file;
  }

  /** Reads where the servers of an entry hang. */
  void add(YamlMap entry) {
    String rack = entry.text("rack", USUAL_RACK);
    String pod = entry.text("pod", USUAL_POD);
    String before = podOf.putIfAbsent(rack, pod);
    if (before != null && !before.equals(pod)) {
      throw entry.bad(
          "pod",
          "rack '%s' is in pod '%s' and in pod '%s'; a rack is in one pod"
              .formatted(Inputs.shown(rack), Inputs.shown(before), Inputs.shown(pod)));
    }
  }

  /** Racks with their pods; none if the file says nothing of uplinks. */
  List<Rack> racks(YamlMap root, @Nullable YamlMap network, List<Server> servers) {
    Map<String, YamlMap> tiers = tiers(network);
    YamlMap rackTier = tiers.get("rack");
    YamlMap podTier = tiers.get("pod");
    Map<String, Double> nics = new LinkedHashMap<>();
    servers.forEach(s -> nics.merge(s.rack(), s.nicBytesPerSecond(), Double::sum));
    Map<String, Double> rackUplinks = uplinks(root, "rack", rackTier, nics);
    if (rackUplinks.isEmpty()) {
      if (root.has("pods") || podTier != null) {
        throw root.bad(
            root.has("pods") ? "pods" : "network",
            "pods without racks; say what racks have too, such as network: {tiers: [{name: rack,"
                + " oversubscription: 1}, {name: pod, uplink: 400Gbps}]}");
      }
      return List.of();
    }
    Map<String, Double> inPods = new LinkedHashMap<>();
    rackUplinks.forEach(
        (rack, uplink) -> inPods.merge(podOf.getOrDefault(rack, USUAL_POD), uplink, Double::sum));
    Map<String, Double> podUplinks = uplinks(root, "pod", podTier, inPods);
    Map<String, Pod> pods = new HashMap<>();
    podUplinks.forEach((name, uplink) -> pods.put(name, new Pod(name, uplink)));
    List<Rack> racks = new ArrayList<>();
    rackUplinks.forEach((name, uplink) ->
        racks.add(new Rack(name, uplink, pods.get(podOf.getOrDefault(name, USUAL_POD)))));
    return racks;
  }

  /** By name. */
  private Map<String, YamlMap> tiers(@Nullable YamlMap network) {
    Map<String, YamlMap> tiers = new TreeMap<>();
    if (network == null || !network.has("tiers")) {
      return tiers;
    }
    for (Node node : network.list("tiers", "a list of tiers")) {
      YamlMap tier = new YamlMap(file, node, "a tier", SWITCH_KEYS);
      tier.required("name");
      String name = tier.text("name", "");
      if (!Set.of("rack", "pod").contains(name)) {
        throw tier.bad(
            "name",
            "unknown tier '%s'; tiers are rack and pod, and above them a core that is never in the"
                    .formatted(Inputs.shown(name))
                + " way");
      }
      if (tiers.put(name, tier) != null) {
        throw tier.bad("name", "tier '%s' is there twice".formatted(name));
      }
    }
    return tiers;
  }

  /**
   * Uplinks of racks or pods: first those that the file lists, in its order, then the others, in
   * the order of servers.
   *
   * @param below what those below can send together, by name
   */
  private Map<String, Double> uplinks(
      YamlMap root, String word, @Nullable YamlMap tier, Map<String, Double> below) {
    Map<String, Double> uplinks = new LinkedHashMap<>();
    String list = word + "s";
    if (root.has(list)) {
      for (Node node : root.list(list, "a list of " + list)) {
        YamlMap entry = new YamlMap(file, node, "a " + word, SWITCH_KEYS);
        entry.required("name");
        String name = entry.text("name", "");
        Double inside = below.get(name);
        if (inside == null) {
          throw entry.bad(
              "name",
              "no server is in %s '%s'; %s of servers are %s"
                  .formatted(word, Inputs.shown(name), list, names(below.keySet())));
        }
        if (uplinks.put(name, uplink(entry, word, inside)) != null) {
          throw entry.bad("name", "%s '%s' is there twice".formatted(word, Inputs.shown(name)));
        }
      }
    }
    if (tier != null) {
      below.forEach((name, inside) -> uplinks.putIfAbsent(name, uplink(tier, word, inside)));
    }
    for (String name : below.keySet()) {
      if (!uplinks.isEmpty() && !uplinks.containsKey(name)) {
        String shown = Inputs.shown(name);
        throw root.bad(
            list,
            "%s '%s' of a server is not among the %s; add {name: %s, oversubscription: 1}"
                .formatted(word, shown, list, shown));
      }
    }
    return uplinks;
  }

  /** All that those below can send, over its factor, unless the file says it outright. */
  private static double uplink(YamlMap entry, String word, double belowBytesPerSecond) {
    if (entry.has("uplink") == entry.has("oversubscription")) {
      throw entry.bad(
          "uplink",
          "a %s has either an uplink, such as 100Gbps, or an oversubscription factor"
              .formatted(word));
    }
    double factor =
        entry.number("oversubscription", 1, "a number of at least 1, such as 4", f -> f >= 1);
    return entry.quantity(
        "uplink", belowBytesPerSecond / factor, ClusterFile.BANDWIDTH, Units::bytesPerSecond);
  }

  static String rackNames(List<Server> servers) {
    return names(servers.stream().map(Server::rack).distinct().toList());
  }

  private static String names(Collection<String> all) {
    return String.join(", ", all.stream().limit(5).map(Inputs::shown).toList());
  }
}
