package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.AllReduceCost;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.GpuPower;
import io.ringmaster.model.Maintenance;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Rack;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFileTest {
  private static final double UNCOUNTED = Double.POSITIVE_INFINITY;

  @TempDir Path dir;

  private Cluster read(String text) throws IOException {
    return ClusterFile.read(Files.writeString(dir.resolve("cluster.yaml"), text));
  }

  @Test
  void theDocumentedExample() throws IOException {
    Cluster cluster =
        read(
            """
            name: twenty-by-eight
            servers:
              - {count: 20, gpus: 8, gpu: v100, rack: r1, nic: 10Gbps, intra: 300Gbps}   # names
            network:
              model: contention        # contention (SJF-BCO) | reserved (GADGET) | share | none
              xi1: 1.0                 # k = xi1 * p
              alpha: 0.2               # f = k + alpha (k - 1), never below 1
              overhead: 0.5ms          # xi2: per iteration, per server used
              reduceRate: 100GB/s      # C
            restart: 10s
            """);
    assertThat(cluster.name()).isEqualTo("twenty-by-eight");
    assertThat(cluster.size()).isEqualTo(20);
    assertThat(cluster.totalGpus()).isEqualTo(160);
    assertThat(cluster.server(0)).isEqualTo(new Server("s0001", 8, "v100", "r1", 1.25e9, 37.5e9));
    assertThat(cluster.server(19).name()).isEqualTo("s0020");
    assertThat(cluster.network()).isEqualTo(Network.Contention.USUAL);
    assertThat(cluster.restartSeconds()).isEqualTo(10);
  }

  @Test
  void allButServersAndGpusHasADefault() throws IOException {
    Cluster cluster = read("servers: [{gpus: 4}]");
    Same.clusters(
        cluster,
        new Cluster(
            "cluster",
            List.of(new Server("s0001", 4, "v100", "r1", 1.25e9, 37.5e9)),
            Network.Contention.USUAL,
            10));
    assertThat(read("servers: [{gpus: 4}]\nnetwork: {}").network())
        .isEqualTo(Network.Contention.USUAL);
  }

  @Test
  void everyValueIsRead() throws IOException {
    Cluster cluster =
        read(
            """
            name: "my cluster"
            servers:
              - gpus: 4
                gpu: a100
                rack: r7
                nic: 100Gbps
                intra: 600GB/s
              - {count: 2, gpus: 8}
              - {name: big, gpus: 16}
              - {name: node-, count: 2, gpus: 1}
            network: {model: none, xi1: 0.5, alpha: 0, overhead: 0, reduceRate: 1GiB/s}
            start: 1.5s
            restart: 2min
            """);
    assertThat(cluster.name()).isEqualTo("my cluster");
    assertThat(cluster.servers())
        .containsExactly(
            new Server("s0001", 4, "a100", "r7", 12.5e9, 600e9),
            new Server("s0002", 8, "v100", "r1", 1.25e9, 37.5e9),
            new Server("s0003", 8, "v100", "r1", 1.25e9, 37.5e9),
            new Server("big", 16, "v100", "r1", 1.25e9, 37.5e9),
            new Server("node-0001", 1, "v100", "r1", 1.25e9, 37.5e9),
            new Server("node-0002", 1, "v100", "r1", 1.25e9, 37.5e9));
    assertThat(cluster.network()).isEqualTo(new Network.None(new RingTerms(0.5, 0, 0, 1 << 30)));
    assertThat(cluster.startSeconds()).isEqualTo(1.5);
    assertThat(cluster.restartSeconds()).isEqualTo(120);
    assertThat(ClusterFile.text(cluster)).endsWith("start: 1.5s\nrestart: 120s\n");
  }

  /** Rack a: two servers of 10 Gbit/s over 4, rack b: 40 Gbit/s outright. */
  @Test
  void racksCpusMemoryPowerAndReservation() throws IOException {
    Cluster cluster =
        read(
            """
            servers:
              - {count: 2, gpus: 8, rack: a, cpus: 64, memory: 512GB, power: 0.25kW}
              - {gpus: 4, gpu: a100, rack: b, cpus: 15.5, memory: 1 TiB}
            racks:
              - {name: b, uplink: 40Gbps}
              - {name: a, oversubscription: 4}
            network: {model: reserved, reserve: 2Gbps}
            """);
    assertThat(cluster.servers())
        .containsExactly(
            new Server("s0001", 8, "v100", "a", 1.25e9, 37.5e9, 64, 512e9, 250),
            new Server("s0002", 8, "v100", "a", 1.25e9, 37.5e9, 64, 512e9, 250),
            new Server("s0003", 4, "a100", "b", 1.25e9, 37.5e9, 15.5, 1099511627776.0, 400));
    assertThat(cluster.racks()).containsExactly(new Rack("b", 5e9), new Rack("a", 0.625e9));
    assertThat(cluster.network()).isEqualTo(Network.Contention.USUAL.reserving(0.25e9));
    assertThat(ClusterFile.text(cluster))
        .isEqualTo(
            """
            name: cluster
            servers:
              - {count: 2, gpus: 8, gpu: v100, rack: a, nic: 10Gbps, intra: 300Gbps, cpus: 64,\
             memory: 512GB, power: 250W}
              - {gpus: 4, gpu: a100, rack: b, nic: 10Gbps, intra: 300Gbps, cpus: 15.5,\
             memory: 1.099511627776TB}
            racks:
              - {name: b, uplink: 40Gbps}
              - {name: a, uplink: 5Gbps}
            network:
              model: reserved
              xi1: 1
              alpha: 0.2
              overhead: 0.5ms
              reduceRate: 100GB/s
              reserve: 2Gbps
            restart: 10s
            """);
  }

  @Test
  void whatIsNotNamedIsNotCounted() throws IOException {
    Cluster cluster = read("servers: [{gpus: 4, rack: a}, {gpus: 4, rack: b, gpu: odd}]");
    assertThat(cluster.racks()).isEmpty();
    assertThat(cluster.server(1).cpus()).isEqualTo(UNCOUNTED);
    assertThat(cluster.server(1).memoryBytes()).isEqualTo(UNCOUNTED);
    assertThat(cluster.server(1).gpuWatts()).isEqualTo(GpuPower.USUAL_WATTS);
    assertThat(cluster.limitsMoreThanGpus()).isFalse();
  }

  @Test
  void aliasesAreFollowed() throws IOException {
    Cluster cluster = read("servers:\n  - &a {gpus: 4}\n  - *a\n");
    assertThat(cluster.totalGpus()).isEqualTo(8);
    assertThat(cluster.server(1).name()).isEqualTo("s0002");
  }

  @Test
  void aMillionServers() throws IOException {
    assertThat(read("servers: [{count: 1000000, gpus: 100}]").totalGpus()).isEqualTo(100_000_000);
  }

  @Test
  void equalServersAreWrittenTogether() {
    assertThat(ClusterFile.text(Cluster.uniform(20, 8, Network.Contention.USUAL, 10)))
        .isEqualTo(
            """
            name: "20x8"
            servers:
              - {count: 20, gpus: 8, gpu: v100, rack: r1, nic: 10Gbps, intra: 300Gbps}
            network:
              model: contention
              xi1: 1
              alpha: 0.2
              overhead: 0.5ms
              reduceRate: 100GB/s
            restart: 10s
            """);
  }

  @Test
  void namesAreWrittenOnlyIfTheyMust() {
    Cluster cluster =
        new Cluster(
            "c",
            List.of(
                server("s0001", 4),
                server("s0002", 4),
                server("s0003", 8),
                server("big", 8),
                server("n0001", 2),
                server("n0002", 2),
                server("s0007", 2),
                server("n0003", 2)),
            Network.None.USUAL,
            0);
    assertThat(ClusterFile.text(cluster).lines().filter(l -> l.contains("gpus")))
        .map(l -> l.replace(", gpu: v100, rack: r1, nic: 10Gbps, intra: 300Gbps", ""))
        .containsExactly(
            "  - {count: 2, gpus: 4}",
            "  - {gpus: 8}",
            "  - {gpus: 8, name: big}",
            "  - {count: 2, gpus: 2, name: n}",
            "  - {gpus: 2}",
            "  - {gpus: 2, name: n0003}");
  }

  private static Server server(String name, int gpus) {
    return new Server(name, gpus, "v100", "r1", 1.25e9, 37.5e9);
  }

  @Test
  void randomClustersReadBackTheSame() {
    for (long seed = 0; seed < 300; seed++) {
      Cluster cluster = random(new Random(seed));
      Path file = dir.resolve("random.yaml");
      ClusterFile.write(file, cluster);
      try {
        Same.clusters(ClusterFile.read(file), cluster);
      } catch (AssertionError | BadInput e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  void measuredCostCapAndSlots() throws IOException {
    Network network =
        read("""
        servers: [{gpus: 4}]
        network:
          model: measured
          cap: 0.15
          slot: 1s
          startup: 0.669ms
          perByte: 0.856ms/MB
          penalty: 235us/MB
        """)
            .network();
    RingTerms usual = RingTerms.USUAL;
    assertThat(network)
        .isEqualTo(
            new Network.Measured(
                new RingTerms(
                    usual.xi1(),
                    usual.alpha(),
                    usual.overheadSeconds(),
                    usual.reduceBytesPerSecond(),
                    0.15,
                    1),
                new AllReduceCost(0.669e-3, 0.856e-9, 0.235e-9)));
    assertThat(read("servers: [{gpus: 4}]\nnetwork: {model: reserved}").network())
        .isEqualTo(Network.Contention.USUAL.reserving(0));
  }

  @Test
  void evenSharesAndPipelines() throws IOException {
    String steady = "servers: [{gpus: 4}]\nnetwork: {model: share}";
    assertThat(read(steady).network())
        .isEqualTo(Network.Contention.USUAL.sharing(Pipelining.STEADY));
    Cluster cluster =
        read("servers: [{gpus: 4}]\nnetwork: {model: share, overlap: true, microBatches: 8}");
    assertThat(cluster.network())
        .isEqualTo(Network.Contention.USUAL.sharing(new Pipelining(true, 8)));
    assertThat(ClusterFile.text(cluster)).contains("\n  overlap: true\n  microBatches: 8\n");
    assertThat(ClusterFile.text(read(steady))).doesNotContain("overlap", "microBatches");
    Same.clusters(read(ClusterFile.text(cluster)), cluster);
  }

  private static Cluster random(Random random) {
    List<Server> servers = new ArrayList<>();
    List<String> odd =
        List.of("a b", "ü", "😀", "x: y", "#z", "null", "12", "q\"\\", "t\tn\n", "-", "{}", "true");
    while (servers.size() < 1 + random.nextInt(40)) {
      int run = 1 + random.nextInt(5);
      int gpus = 1 + random.nextInt(16);
      String prefix = random.nextInt(3) == 0 ? "" : "p" + servers.size() + "-";
      double nic = random.nextBoolean() ? 1.25e9 : random.nextDouble(1, 1e12);
      double intra = random.nextBoolean() ? 37.5e9 : random.nextDouble(1, 1e12);
      String rack = odd.get(random.nextInt(odd.size()));
      String gpu = random.nextBoolean() ? "v100" : "a100";
      double cpus = random.nextBoolean() ? UNCOUNTED : random.nextDouble(0.1, 256);
      double memory =
          switch (random.nextInt(3)) {
            case 0 -> UNCOUNTED;
            case 1 -> 512e9;
            default -> random.nextDouble(1, 1e13);
          };
      double watts = random.nextBoolean() ? GpuPower.watts(gpu) : random.nextDouble(1000);
      for (int i = 0; i < run; i++) {
        String name =
            prefix.isEmpty()
                ? Cluster.serverName(servers.size())
                : prefix + Cluster.serverName(i).substring(1);
        servers.add(new Server(name, gpus, gpu, rack, nic, intra, cpus, memory, watts));
      }
    }
    RingTerms terms =
        new RingTerms(
            1 - random.nextDouble(),
            random.nextDouble(),
            random.nextDouble() / 1000,
            random.nextDouble(1, 1e12),
            random.nextBoolean() ? Double.POSITIVE_INFINITY : random.nextDouble(),
            random.nextBoolean() ? 0 : random.nextDouble(100));
    Network network =
        switch (random.nextInt(8)) {
          case 0 -> new Network.Contention(terms);
          case 1 -> new Network.Transmit(terms);
          case 2 ->
              new Network.Reserved(terms, random.nextBoolean() ? random.nextDouble(1, 1e10) : 0);
          case 3 ->
              new Network.Share(terms, new Pipelining(random.nextBoolean(), random.nextInt(4)));
          case 4 ->
              new Network.Measured(
                  terms,
                  new AllReduceCost(
                      random.nextDouble() / 1000,
                      1e-12 + random.nextDouble(1e-8),
                      random.nextDouble(1e-8)));
          case 5 -> new Network.Shifted(terms, random.nextDouble());
          case 6 -> new Network.Priority(terms);
          default -> new Network.None(terms);
        };
    String name = odd.get(random.nextInt(odd.size()));
    List<Rack> racks = random.nextBoolean() ? List.of() : racks(random, servers);
    return new Cluster(name, servers, racks, network, random.nextDouble(100));
  }

  private static List<Rack> racks(Random random, List<Server> servers) {
    List<String> names = new ArrayList<>(servers.stream().map(Server::rack).distinct().toList());
    Collections.shuffle(names, random);
    return names.stream().map(name -> new Rack(name, random.nextDouble(1, 1e12))).toList();
  }

  @Test
  void failuresAndMaintenanceReadBackTheSame() throws IOException {
    String servers = "servers: [{count: 3, gpus: 8, rack: a}, {count: 2, gpus: 8, rack: b}]\n";
    assertThat(read(servers).mayFail()).isFalse();
    assertThat(read(servers + "failures: {}\n").failures()).isEqualTo(Failures.USUAL);
    Cluster cluster =
        read(
            servers
                + """
                failures: {node: 6.5/1000d, repair: 12h, repairVaries: true, rack: 0.5/100d, job: 2/24h}
                maintenance:
                  - {server: s0002, at: 2d, for: 6h}
                  - {rack: b, at: 3d, for: 1h, drain: 30min}
                """);
    assertThat(cluster.failures()).isEqualTo(new Failures(6.5, 43200, 5, 2000, true));
    assertThat(cluster.maintenance())
        .containsExactly(
            new Maintenance("s0002", false, 172800, 21600, 0),
            new Maintenance("b", true, 259200, 3600, 1800));
    Cluster again = read(ClusterFile.text(cluster));
    assertThat(again.failures()).isEqualTo(cluster.failures());
    assertThat(again.maintenance()).isEqualTo(cluster.maintenance());
    assertThat(again.having(again.servers().subList(0, 3)).maintenance()).hasSize(1);
  }

  @Test
  void mistakesOfFailuresHaveAPlace() {
    String servers = "servers: [{gpus: 8}]\n";
    assertThatThrownBy(() -> read(servers + "failures: {node: 4}\n"))
        .hasMessageEndingWith(
            ":2:18: node: '4' is not a rate such as 4/1000d: how many in how long (h or d)");
    assertThatThrownBy(() -> read(servers + "failures: {nodes: 4/1000d}\n"))
        .hasMessageEndingWith(":2:12: unknown key 'nodes' of failures; did you mean 'node'?");
    assertThatThrownBy(() -> read(servers + "maintenance: [{at: 1d, for: 1h}]\n"))
        .hasMessageEndingWith("a maintenance is of either a server or a rack; name one of them");
    assertThatThrownBy(() -> read(servers + "maintenance: [{server: s1, at: 1d, for: 1h}]\n"))
        .hasMessageContaining(":2:24: no server is named 's1'; ");
    assertThatThrownBy(() -> read(servers + "maintenance: [{rack: q, at: 1d, for: 1h}]\n"))
        .hasMessageEndingWith(":2:22: no server is in rack 'q'; racks of servers are r1");
    assertThatThrownBy(() -> read(servers + "maintenance: [{server: s0001, at: 1d}]\n"))
        .hasMessageEndingWith("missing key 'for'");
  }

  @Test
  void missingFileAndDirectory() {
    Path missing = dir.resolve("none.yaml");
    assertThatThrownBy(() -> ClusterFile.read(missing))
        .isInstanceOf(BadInput.class)
        .hasMessage(missing + ": no such file");
    assertThatThrownBy(() -> ClusterFile.read(dir))
        .isInstanceOf(BadInput.class)
        .hasMessage(dir + ": it is a directory; expected a file");
  }
}
