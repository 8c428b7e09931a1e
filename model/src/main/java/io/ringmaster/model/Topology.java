package io.ringmaster.model;

import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.collect.Sorted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The network as a tree. Servers hang on the switch of their rack, racks on that of their pod if
 * there are pods, and all on a core that never is in the way; each connection is a link in either
 * direction. Without racks all servers hang on one big switch.
 *
 * <p>Switches of racks and pods are numbered: racks as in the cluster's list, then pods. The uplink
 * of a switch is what leads from it to the one above.
 *
 * <p>A ring visits the servers of a placement pod by pod and rack by rack. So it leaves and enters
 * each of its servers once, each of its racks once if it has several, and each of its pods once if
 * it has several: on every link that it crosses, it is there once.
 */
public final class Topology {

  /** A link in one direction. */
  public record Link(String name, double bytesPerSecond) {}

  private final int servers;
  private final int racks;
  private final int[] rackOf;

  /** The switch of a server's pod; all the same where there are no pods. */
  private final int[] podOf;

  private final double[] uplink;

  /** Servers below each switch. */
  private final int[][] members;

  private final List<Link> links = new ArrayList<>();

  Topology(List<Server> servers, List<Rack> racks) {
    this.servers = servers.size();
    this.racks = racks.size();
    this.rackOf = new int[servers.size()];
    this.podOf = new int[servers.size()];
    Map<String, Integer> byName = new HashMap<>();
    racks.forEach(rack -> byName.put(rack.name(), byName.size()));
    List<Pod> pods = pods(racks);
    for (int s = 0; s < rackOf.length; s++) {
      Server server = servers.get(s);
      rackOf[s] = racks.isEmpty() ? 0 : byName.getOrDefault(server.rack(), -1);
      if (rackOf[s] < 0) {
        throw new IllegalArgumentException("no rack is called " + server.rack());
      }
      podOf[s] =
          pods.isEmpty()
              ? 0
              : this.racks + pods.indexOf(Objects.requireNonNull(racks.get(rackOf[s]).pod()));
      String rack = racks.isEmpty() ? "switch" : server.rack();
      addLinks(server.name(), rack, server.nicBytesPerSecond());
    }
    for (Rack rack : racks) {
      String above = rack.pod() == null ? "core" : rack.pod().name();
      addLinks(rack.name(), above, rack.uplinkBytesPerSecond());
    }
    pods.forEach(pod -> addLinks(pod.name(), "core", pod.uplinkBytesPerSecond()));
    this.uplink =
        IntStream.range(this.servers, links.size() / 2)
            .mapToDouble(i -> links.get(2 * i).bytesPerSecond())
            .toArray();
    this.members = members();
  }

  private int[][] members() {
    IntList[] below = new IntList[uplink.length];
    Arrays.setAll(below, _ -> new IntList());
    for (int s = 0; racks > 0 && s < servers; s++) {
      below[rackOf[s]].add(s);
      if (hasPods()) {
        below[podOf[s]].add(s);
      }
    }
    return Arrays.stream(below).map(IntList::toArray).toArray(int[][]::new);
  }

  /** The pods of racks; none if these hang on the core. */
  static List<Pod> pods(List<Rack> racks) {
    Set<Pod> pods = new LinkedHashSet<>();
    int inNone = 0;
    for (Rack rack : racks) {
      Pod pod = rack.pod();
      if (pod == null) {
        inNone++;
      } else {
        pods.add(pod);
      }
    }
    if (pods.stream().map(Pod::name).distinct().count() < pods.size()
        || (inNone > 0 && inNone < racks.size())) {
      throw new IllegalArgumentException("either no rack or every rack is in one pod");
    }
    return List.copyOf(pods);
  }

  private void addLinks(String below, String above, double bytesPerSecond) {
    links.add(new Link(below + " to " + above, bytesPerSecond));
    links.add(new Link(above + " to " + below, bytesPerSecond));
  }

  /** All links, known by their index. */
  public List<Link> links() {
    return links;
  }

  /** The rack of a server, by its place in the cluster's list; 0 where there are no racks. */
  public int rack(int server) {
    return rackOf[server];
  }

  /** The switch of a server's pod; where there are no pods, it is the same for all. */
  public int pod(int server) {
    return podOf[server];
  }

  /** How many switches of racks and pods there are. */
  public int switches() {
    return uplink.length;
  }

  public boolean hasPods() {
    return uplink.length > racks;
  }

  /** Bytes a second between a switch and the one above it, in either direction. */
  public double uplink(int which) {
    return uplink[which];
  }

  /** Whether a server is in the rack or the pod of a switch. */
  public boolean inside(int which, int server) {
    return (which < racks ? rackOf : podOf)[server] == which;
  }

  /** How many servers are below a switch. */
  public int size(int which) {
    return members[which].length;
  }

  /** The i-th server below a switch, in the order of the cluster's list. */
  public int member(int which, int i) {
    return members[which][i];
  }

  /** GPUs below each switch. */
  int[] gpusInside(List<Server> all) {
    int[] gpus = new int[uplink.length];
    for (int s = 0; racks > 0 && s < servers; s++) {
      gpus[rackOf[s]] += all.get(s).gpus();
      if (hasPods()) {
        gpus[podOf[s]] += all.get(s).gpus();
      }
    }
    return gpus;
  }

  /** Whether a switch is that of a rack, and not of a pod. */
  public boolean isRack(int which) {
    return which < racks;
  }

  /** How many tiers a ring crosses above those of its servers: 0 in a rack, 1 in a pod, or 2. */
  public int tiers(Placement placement) {
    if (racks < 2) {
      return 0;
    }
    int rack = rackOf[placement.server(0)];
    int pod = podOf[placement.server(0)];
    int tiers = 0;
    for (int i = 1; i < placement.size(); i++) {
      if (podOf[placement.server(i)] != pod) {
        return 2;
      }
      if (rackOf[placement.server(i)] != rack) {
        tiers = 1;
      }
    }
    return tiers;
  }

  /** The narrowest uplink that the ring of a placement crosses; infinite if it crosses none. */
  public double slowestUplink(Placement placement) {
    int tiers = tiers(placement);
    double slowest = Double.POSITIVE_INFINITY;
    for (int i = 0; tiers > 0 && i < placement.size(); i++) {
      slowest = Math.min(slowest, uplink[rackOf[placement.server(i)]]);
      if (tiers > 1) {
        slowest = Math.min(slowest, uplink[podOf[placement.server(i)]]);
      }
    }
    return slowest;
  }

  /** Fills in the switches whose uplinks the ring of a placement crosses, each once. */
  public void uplinks(Placement placement, IntList into) {
    into.clear();
    int tiers = tiers(placement);
    for (int i = 0; tiers > 0 && i < placement.size(); i++) {
      addOnce(rackOf[placement.server(i)], into);
      if (tiers > 1) {
        addOnce(podOf[placement.server(i)], into);
      }
    }
  }

  private static void addOnce(int which, IntList into) {
    // Servers of a rack mostly follow each other.
    for (int i = into.size() - 1; i >= 0; i--) {
      if (into.get(i) == which) {
        return;
      }
    }
    into.add(which);
  }

  /** Links on the way from one server to another. */
  public IntList path(int from, int to) {
    IntList path = new IntList();
    path.add(2 * from);
    if (rackOf[from] != rackOf[to]) {
      path.add(2 * (servers + rackOf[from]));
      if (podOf[from] != podOf[to]) {
        path.add(2 * (servers + podOf[from]));
        path.add(2 * (servers + podOf[to]) + 1);
      }
      path.add(2 * (servers + rackOf[to]) + 1);
    }
    path.add(2 * to + 1);
    return path;
  }

  /** The servers of a placement in the order of its ring. */
  public int[] ringOrder(Placement placement) {
    return Sorted.by(
        Comparator.<Integer>comparingInt(s -> podOf[s]).thenComparingInt(s -> rackOf[s]),
        IntStream.range(0, placement.size()).map(placement::server));
  }

  /** Links that the ring of a placement crosses, hop by hop. None on one server. */
  public IntList ring(Placement placement) {
    IntList crossed = new IntList();
    if (!placement.crossesServers()) {
      return crossed;
    }
    int[] order = ringOrder(placement);
    for (int i = 0; i < order.length; i++) {
      crossed.addAll(path(order[i], order[(i + 1) % order.length]));
    }
    return crossed;
  }

  /** True if the servers of a placement are not all in one rack. */
  public boolean crossesRacks(Placement placement) {
    return tiers(placement) > 0;
  }
}
