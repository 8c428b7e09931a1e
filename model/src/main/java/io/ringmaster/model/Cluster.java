package io.ringmaster.model;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Servers, their network, and what a restart costs. Servers are known by their index. */
public final class Cluster {
  private final String name;
  private final List<Server> servers;
  private final Network network;
  private final double restartSeconds;
  private final int[] gpus;
  private final int totalGpus;
  private final int maxServerGpus;
  private final int[] largestFirst;

  public Cluster(String name, List<Server> servers, Network network, double restartSeconds) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs at least one server");
    }
    this.name = name;
    this.servers = List.copyOf(servers);
    this.network = network;
    this.restartSeconds = restartSeconds;
    this.gpus = servers.stream().mapToInt(Server::gpus).toArray();
    this.totalGpus = Math.toIntExact(Arrays.stream(gpus).asLongStream().sum());
    this.maxServerGpus = Arrays.stream(gpus).max().getAsInt();
    this.largestFirst =
        IntStream.range(0, gpus.length)
            .boxed()
            .sorted(Comparator.comparingInt((Integer s) -> -gpus[s]))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  /** {@code count} equal servers named s0001, s0002, ... */
  public static Cluster uniform(int count, int gpusEach, Network network, double restartSeconds) {
    List<Server> servers =
        IntStream.range(0, count)
            .mapToObj(i -> new Server(serverName(i), gpusEach, "v100", "r1", 10e9 / 8, 300e9 / 8))
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

  public Network network() {
    return network;
  }

  public double restartSeconds() {
    return restartSeconds;
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

  /**
   * Where a job sits when it is alone: the fewest servers an empty cluster allows, largest servers
   * first, then file order.
   */
  public Placement idealPlacement(int workers) {
    if (workers > totalGpus) {
      throw new IllegalArgumentException(
          "%d workers do not fit the %d GPUs of %s".formatted(workers, totalGpus, name));
    }
    int used = 0;
    for (int left = workers; left > 0; used++) {
      left -= gpus[largestFirst[used]];
    }
    int[] onServers = new int[used];
    int[] counts = new int[used];
    int left = workers;
    for (int i = 0; i < used; i++) {
      onServers[i] = largestFirst[i];
      counts[i] = Math.min(left, gpus[largestFirst[i]]);
      left -= counts[i];
    }
    return Placement.of(onServers, counts);
  }
}
