package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Racks and pods of a cluster file. */
class ClusterTiersTest {
  private static final String SERVERS =
      """
      servers:
        - {count: 2, gpus: 8, rack: a, pod: west, nic: 8Gbps}
        - {count: 2, gpus: 8, rack: b, pod: west, nic: 8Gbps}
        - {count: 1, gpus: 8, rack: c, pod: east, nic: 8Gbps}
      """;

  @TempDir Path dir;

  private Cluster read(String text) throws IOException {
    return ClusterFile.read(Files.writeString(dir.resolve("cluster.yaml"), text));
  }

  private void isWrong(String text, String message) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(BadInput.class).hasMessageEndingWith(message);
  }

  @Test
  void tiersSayWhatAllRacksAndPodsHave() throws IOException {
    String tiers =
        SERVERS + "network: {tiers: [{name: rack, uplink: 8Gbps}, {name: pod, uplink: 40Gbps}]}\n";
    Cluster cluster = read(tiers);
    Pod west = new Pod("west", 5e9);
    Pod east = new Pod("east", 5e9);
    assertThat(cluster.racks())
        .containsExactly(
            new Rack("a", 1e9, west), new Rack("b", 1e9, west), new Rack("c", 1e9, east));
    assertThat(cluster.pods()).containsExactly(west, east);
    String written = ClusterFile.text(cluster);
    assertThat(written).contains("pod: west").contains("{name: rack, uplink: 8Gbps}");
    Same.clusters(read(written), cluster);
  }

  @Test
  void oversubscriptionCountsWhatIsBelow() throws IOException {
    Cluster cluster =
        read(
            SERVERS
                + "racks: [{name: c, uplink: 1Gbps}]\n"
                + "network: {tiers: [{name: rack, oversubscription: 2},"
                + " {name: pod, oversubscription: 4}]}\n");
    Pod west = new Pod("west", 0.5e9);
    assertThat(cluster.racks())
        .containsExactly(
            new Rack("c", 0.125e9, new Pod("east", 0.03125e9)),
            new Rack("a", 1e9, west),
            new Rack("b", 1e9, west));
    Same.clusters(read(ClusterFile.text(cluster)), cluster);
  }

  @Test
  void withoutATierOfPodsRacksHangOnTheCore() throws IOException {
    Cluster cluster = read(SERVERS + "network: {tiers: [{name: rack, uplink: 8Gbps}]}\n");
    assertThat(cluster.racks().getFirst()).isEqualTo(new Rack("a", 1e9));
    assertThat(read(SERVERS).racks()).isEmpty();
  }

  @Test
  void mistakesAreNamed() {
    isWrong(
        SERVERS + "network: {tiers: [{name: row, uplink: 8Gbps}]}\n",
        "unknown tier 'row'; tiers are rack and pod, and above them a core that is never in the"
            + " way");
    isWrong(
        SERVERS + "network: {tiers: [{name: rack, uplink: 8Gbps}, {name: rack, uplink: 1Gbps}]}\n",
        "tier 'rack' is there twice");
    isWrong(
        SERVERS + "network: {tiers: [{name: rack}]}\n",
        "a rack has either an uplink, such as 100Gbps, or an oversubscription factor");
    isWrong(
        SERVERS + "network: {tiers: [{name: pod, uplink: 8Gbps}]}\n",
        "pods without racks; say what racks have too, such as network: {tiers: [{name: rack,"
            + " oversubscription: 1}, {name: pod, uplink: 400Gbps}]}");
    isWrong(
        SERVERS + "  - {gpus: 8, rack: a, pod: east}\n",
        "rack 'a' is in pod 'west' and in pod 'east'; a rack is in one pod");
    isWrong(
        SERVERS + "racks: [{name: a, uplink: 1Gbps}]\n",
        "rack 'b' of a server is not among the racks; add {name: b, oversubscription: 1}");
  }
}
