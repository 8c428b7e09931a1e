package io.ringmaster.model;

import io.ringmaster.model.collect.Sorted;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Servers, their network, and what starts and restarts cost. Servers are known by their index. */
public final class Cluster {
  /** What a restart costs where nobody says otherwise. */
  public static final double USUAL_RESTART_SECONDS = 10;

  private static final int ANYWHERE = -1;

  private final String name;
  private final List<Server> servers;
  private final List<Rack> racks;
  private final Topology topology;
  private final Network network;
  private final double startSeconds;
  private final double restartSeconds;
  private final Failures failures;
  private final List<Maintenance> maintenance;
  private final int[] gpus;
  private final int totalGpus;
  private final int maxServerGpus;
  private final int[] largestFirst;
  private final boolean limitsMore;
  private final List<String> kinds;
  private final boolean countsKinds;

  /** All servers on one big switch. */
  public Cluster(String name, List<Server> servers, Network network, double restartSeconds) {
    this(name, servers, List.of(), network, restartSeconds);
  }

  /** Servers in racks; with none, on one big switch. A first start costs nothing. */
  public Cluster(
      String name, List<Server> servers, List<Rack> racks, Network network, double restartSeconds) {
    this(name, servers, racks, network, 0, restartSeconds, Failures.NONE, List.of(), false);
  }

  private Cluster(
      String name,
      List<Server> servers,
      List<Rack> racks,
      Network network,
      double startSeconds,
      double restartSeconds,
      Failures failures,
      List<Maintenance> maintenance,
      boolean countsKinds) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs at least one server");
    }
    this.name = name;
    this.servers = List.copyOf(servers);
    this.racks = List.copyOf(racks);
    this.topology = new Topology(this.servers, this.racks);
    this.network = network;
    this.startSeconds = startSeconds;
    this.restartSeconds = restartSeconds;
    this.failures = failures;
    this.maintenance =
        maintenance.stream().filter(m -> servers.stream().anyMatch(m::takes)).toList();
    this.gpus = servers.stream().mapToInt(Server::gpus).toArray();
    this.totalGpus = Math.toIntExact(Arrays.stream(gpus).asLongStream().sum());
    this.maxServerGpus = Arrays.stream(gpus).max().getAsInt();
    this.kinds = servers.stream().map(Server::gpu).distinct().toList();
    this.countsKinds = countsKinds;
    this.limitsMore =
        countsKinds
            || network.reservesFixed()
            || servers.stream().anyMatch(s -> Double.isFinite(s.cpus()))
            || servers.stream().anyMatch(s -> Double.isFinite(s.memoryBytes()));
    this.largestFirst = Sorted.by(Comparator.comparingInt(s -> -gpus[s]), gpus.length);
  }

  /** The same servers, where a first start and a restart cost so much. */
  public Cluster costing(double newStartSeconds, double newRestartSeconds) {
    return new Cluster(
        name,
        servers,
        racks,
        network,
        newStartSeconds,
        newRestartSeconds,
        failures,
        maintenance,
        countsKinds);
  }

  /** The same servers, which fail so often and are taken away so. */
  public Cluster failing(Failures newFailures, List<Maintenance> newMaintenance) {
    return new Cluster(
        name,
        servers,
        racks,
        network,
        startSeconds,
        restartSeconds,
        newFailures,
        newMaintenance,
        countsKinds);
  }

  /** The same servers, for jobs: if these name kinds of GPU, it counts which servers have which. */
  public Cluster counting(Jobs jobs) {
    return jobs.namesKinds() ? countingKinds() : this;
  }

  /** The same servers, where it counts which have which GPUs, if not all have the same. */
  public Cluster countingKinds() {
    return countsKinds || kinds.size() == 1
        ? this
        : new Cluster(
            name,
            servers,
            racks,
            network,
            startSeconds,
            restartSeconds,
            failures,
            maintenance,
            true);
  }

  /** The same cluster with other servers, of racks that it has. */
  public Cluster having(List<Server> others) {
    Set<String> used = others.stream().map(Server::rack).collect(Collectors.toSet());
    List<Rack> kept = racks.stream().filter(rack -> used.contains(rack.name())).toList();
    return having(others, kept);
  }

  /** The same cluster with other servers, of these racks. */
  public Cluster having(List<Server> others, List<Rack> theirRacks) {
    return new Cluster(
        name,
        others,
        theirRacks,
        network,
        startSeconds,
        restartSeconds,
        failures,
        maintenance,
        countsKinds);
  }

  /** {@code count} equal servers named s0001, s0002, ... */
  public static Cluster uniform(int count, int gpusEach, Network network, double restartSeconds) {
    List<Server> servers =
        IntStream.range(0, count)
            .mapToObj(i ->
                new Server(
                    serverName(i),
                    gpusEach,
                    "v100",
                    "r1",
                    Server.USUAL_NIC_BYTES_PER_SECOND,
                    Server.USUAL_INTRA_BYTES_PER_SECOND))
            .toList();
    return new Cluster(count + "x" + gpusEach, servers, network, restartSeconds);
  }

  /** The name that a server has unless the cluster file gives another. */
  public static String serverName(int index) {
    String digits = Integer.toString(index + 1);
    return "s" + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
  }

  public String name() {
    return name;
  }

  public List<Server> servers() {
    return servers;
  }

  /** Empty if all servers hang on one big switch. */
  public List<Rack> racks() {
    return racks;
  }

  /** Empty if racks hang on the core. */
  public List<Pod> pods() {
    return Topology.pods(racks);
  }

  public Topology topology() {
    return topology;
  }

  public Network network() {
    return network;
  }

  /** How long a job makes no progress after its first start. */
  public double startSeconds() {
    return startSeconds;
  }

  /** How long a job makes no progress after it is resumed, moved or resized. */
  public double restartSeconds() {
    return restartSeconds;
  }

  public Failures failures() {
    return failures;
  }

  /** When servers are taken away on purpose. */
  public List<Maintenance> maintenance() {
    return maintenance;
  }

  /** Whether some servers may be away some time, or jobs fail. */
  public boolean mayFail() {
    return !failures.isNone() || !maintenance.isEmpty();
  }

  /** The kinds of GPU that there are, in the order of the servers. */
  public List<String> kinds() {
    return kinds;
  }

  public int size() {
    return gpus.length;
  }

  public Server server(int index) {
    return servers.get(index);
  }

  public int gpus(int server) {
    return gpus[server];
  }

  public int totalGpus() {
    return totalGpus;
  }

  /** GPUs of the largest server. */
  public int maxServerGpus() {
    return maxServerGpus;
  }

  /** Bytes a second for each GPU, of the server whose link has the least for each. */
  public double slowestNicShare() {
    return servers.stream().mapToDouble(s -> s.nicBytesPerSecond() / s.gpus()).min().getAsDouble();
  }

  /**
   * Whether anything but the number of GPUs decides what fits where: servers with counted CPUs or
   * memory, rings that reserve a fixed bandwidth, or kinds of GPU that jobs name.
   */
  public boolean limitsMoreThanGpus() {
    return limitsMore;
  }

  /** What a job with a demand takes on this cluster beside GPUs. */
  public Demand demand(Demand asked, @Nullable ModelProfile profile) {
    if (!limitsMore) {
      return Demand.NONE;
    }
    if (profile == null || !network.reservesFixed()) {
      return asked.reserving(0);
    }
    double own = profile.reserveBytesPerSecond();
    return asked.reserving(own > 0 ? own : network.fixedBytesPerSecond());
  }

  /** The most workers of a job that the empty cluster holds. */
  public int mostWorkers(Demand demand) {
    return demand.where().mixes()
        ? mostMixed(demand)
        : kinds.stream()
            .filter(demand.where()::allows)
            .mapToInt(kind -> mostMixed(demand.on(demand.where().only(kind))))
            .max()
            .orElse(0);
  }

  private int mostMixed(Demand demand) {
    int most = 0;
    int all = 0;
    int[] inside = new int[topology.switches()];
    for (int s = 0; s < gpus.length; s++) {
      int here = servers.get(s).workers(demand);
      most = Math.max(most, here);
      if (!racks.isEmpty()) {
        int rack = topology.rack(s);
        int pod = topology.pod(s);
        inside[rack] += ringGoes(s, rack, demand) ? here : 0;
        inside[pod] += topology.hasPods() && ringGoes(s, pod, demand) ? here : 0;
      }
      all += ringGoes(s, ANYWHERE, demand) ? here : 0;
    }
    return Math.max(Math.max(most, all), Arrays.stream(inside).max().orElse(0));
  }

  /**
   * Where a job sits when it is alone: the fewest servers an empty cluster allows, in one rack or
   * pod if one holds as few, largest servers first, then file order.
   */
  public Placement idealPlacement(int workers) {
    if (workers > totalGpus) {
      throw new IllegalArgumentException(
          "%d workers do not fit the %d GPUs of %s".formatted(workers, totalGpus, name));
    }
    return workers <= maxServerGpus || racks.isEmpty()
        ? fill(largestFirst, gpus, workers)
        : Objects.requireNonNull(nearest(largestFirst, gpus, workers, Demand.NONE));
  }

  /** How many servers of the empty cluster hold so many workers at least. */
  public int fewestServers(int workers) {
    int used = 0;
    for (int left = workers; left > 0; used++) {
      left -= gpus[largestFirst[used]];
    }
    return used;
  }

  /**
   * The same for a job that takes more than GPUs: servers that hold more of it come first. On
   * several servers, only links that hold its ring are used.
   */
  public Placement idealPlacement(int workers, Demand demand) {
    if (demand.isNone()) {
      return idealPlacement(workers);
    }
    return demand.where().mixes()
        ? idealMixed(workers, demand)
        : kinds.stream()
            .filter(demand.where()::allows)
            .map(kind -> demand.on(demand.where().only(kind)))
            .filter(onOne -> workers <= mostMixed(onOne))
            .map(onOne -> idealMixed(workers, onOne))
            .min(Comparator.comparingInt(Placement::size))
            .orElseThrow(() -> doNotFit(workers, demand));
  }

  private IllegalArgumentException doNotFit(int workers, Demand demand) {
    return new IllegalArgumentException(
        "%d workers with %s do not fit %s".formatted(workers, demand, name));
  }

  private Placement idealMixed(int workers, Demand demand) {
    int[] room = servers.stream().mapToInt(s -> s.workers(demand)).toArray();
    int[] order = Sorted.by(Comparator.comparingInt(s -> -room[s]), Arrays.stream(largestFirst));
    if ((racks.isEmpty() && demand.ringBytesPerSecond() == 0) || room[order[0]] >= workers) {
      return fill(order, room, workers);
    }
    Placement best = nearest(order, room, workers, demand);
    if (best == null) {
      throw doNotFit(workers, demand);
    }
    return best;
  }

  /** On the fewest servers, and of such placements in a rack rather than in a pod than anywhere. */
  private @Nullable Placement nearest(int[] order, int[] room, int workers, Demand demand) {
    Placement best = null;
    for (int i = 0; i <= topology.switches(); i++) {
      int within = i < topology.switches() ? i : ANYWHERE;
      int[] open = Arrays.stream(order).filter(s -> ringGoes(s, within, demand)).toArray();
      if (Arrays.stream(open).map(s -> room[s]).sum() >= workers) {
        Placement placement = fill(open, room, workers);
        best = best == null || placement.size() < best.size() ? placement : best;
      }
    }
    return best;
  }

  /**
   * Whether the ring of a job alone can go through a server, inside a rack or pod or across all.
   */
  private boolean ringGoes(int server, int within, Demand demand) {
    double ring = demand.ringBytesPerSecond();
    return (within == ANYWHERE || topology.inside(within, server))
        && ring <= servers.get(server).nicBytesPerSecond()
        && (racks.isEmpty()
            || (within != ANYWHERE && topology.isRack(within))
            || (ring <= topology.uplink(topology.rack(server))
                && (within != ANYWHERE
                    || !topology.hasPods()
                    || ring <= topology.uplink(topology.pod(server)))));
  }

  private static Placement fill(int[] order, int[] room, int workers) {
    int used = 0;
    for (int left = workers; left > 0; used++) {
      left -= room[order[used]];
    }
    int[] onServers = new int[used];
    int[] counts = new int[used];
    int left = workers;
    for (int i = 0; i < used; i++) {
      onServers[i] = order[i];
      counts[i] = Math.min(left, room[order[i]]);
      left -= counts[i];
    }
    return Placement.of(onServers, counts);
  }
}
