package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

class TopologyImportTest {
  @TempDir Path dir;

  private Cluster read(String text, Map<String, String> settings) throws IOException {
    return TopologyImport.read(Files.writeString(dir.resolve("topology"), text), settings);
  }

  /** The tree of Slurm's own documentation, with one switch more above. */
  @Test
  void slurm() throws IOException {
    Cluster cluster =
        read(
            """
            # topology.conf
            SwitchName=s0 Nodes=tux[0-2]
            SwitchName=s1 Nodes=tux[3-5] LinkSpeed=900
            SwitchName=s2 Nodes=tux6,tux7
            switchname=m0 switches=s[0-1]
            SwitchName=m1 Switches=s2
            SwitchName=top Switches=m[0-1]
            """,
            Map.of("nic", "8Gbps", "rack", "2", "pod", "3", "gpus", "4"));
    Pod m0 = new Pod("m0", 1e9);
    assertThat(cluster.racks())
        .containsExactly(
            new Rack("s0", 1.5e9, m0),
            new Rack("s1", 1.5e9, m0),
            new Rack("s2", 1e9, new Pod("m1", 1e9 / 3)));
    assertThat(cluster.servers()).extracting(Server::name).startsWith("tux0", "tux1").hasSize(8);
    assertThat(cluster.totalGpus()).isEqualTo(32);
  }

  @Test
  void oneSwitchAboveTheRacksIsTheCore() throws IOException {
    Cluster cluster =
        read(
            "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\nSwitchName=top Switches=a,b\n",
            Map.of());
    assertThat(cluster.racks()).containsExactly(new Rack("a", 1.25e9), new Rack("b", 1.25e9));
  }

  @Test
  void kubernetes() throws IOException {
    String node =
        """
        {"kind": "Node", "metadata": {"name": "%s", "labels": {"rack": "%s", "zone": "%s",
         "nvidia.com/gpu.product": "Tesla-V100"}},
         "status": {"allocatable": {"nvidia.com/gpu": "4"}}}
        """;
    String nodes =
        "{\"kind\": \"List\", \"items\": [%s, %s]}"
            .formatted(node.formatted("n1", "a", "z1"), node.formatted("n2", "b", "z1"));
    Cluster cluster = read(nodes, Map.of("labels", "rack,zone"));
    assertThat(cluster.racks()).extracting(Rack::name).containsExactly("a", "b");
    assertThat(cluster.pods()).containsExactly(new Pod("z1", 2.5e9));
    assertThat(cluster.server(0).gpus()).isEqualTo(4);
    assertThat(cluster.kinds()).containsExactly("tesla-v100");
    assertThatThrownBy(() -> read(nodes, Map.of("labels", "shelf")))
        .hasMessageContaining("node n1 has no label shelf; --set labels= names others");
  }

  /** Switches of racks are numbered in each pod anew. */
  @Test
  void lingjun() throws IOException {
    Cluster cluster = read("ip,DSW,PSW,ASW\nx1,G6,P8,S1\nx2,G6,P10,S1\nx3,G6,P8,S1\n", Map.of());
    assertThat(cluster.racks()).extracting(Rack::name).containsExactly("P8-S1", "P10-S1");
    assertThat(cluster.topology().rack(2)).isZero();
  }

  @Test
  @EnabledIfEnvironmentVariable(named = "RINGMASTER_TRACES", matches = ".+")
  void lingjunsOwnFile() {
    Path file = Path.of(System.getenv("RINGMASTER_TRACES"), "network", "lingjun_topo.csv.gz");
    Cluster cluster = TopologyImport.read(file, Map.of());
    assertThat(cluster.size()).isEqualTo(847);
    assertThat(cluster.racks()).hasSize(119);
    assertThat(cluster.pods()).hasSize(3);
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> read("hello\n", Map.of())).hasMessageContaining("names no servers");
    assertThatThrownBy(() -> read("SwitchName=a Nodes=n[2-1]\n", Map.of()))
        .hasMessageEndingWith("topology:1: 'n[2-1]' is no list of hosts");
    assertThatThrownBy(() -> read("ip,DSW,PSW,ASW\nx1,G6\n", Map.of()))
        .hasMessageEndingWith("topology:2: expected ip, DSW, PSW and ASW with commas between them");
    assertThatThrownBy(() -> read("SwitchName=a Nodes=n1,n1\n", Map.of()))
        .hasMessageEndingWith("server n1 is there twice");
    assertThatThrownBy(() -> read("SwitchName=a Nodes=n1\n", Map.of("nic", "10")))
        .hasMessageContaining("nic");
  }
}
