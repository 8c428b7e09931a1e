package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.collect.IntList;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Links, and who crosses them. Links are compared by name: their index is the class's own. */
class TopologyTest {
  private static Server in(String rack, String name) {
    return new Server(name, 8, "v100", rack, 1e9, 1e10);
  }

  private static Cluster oneBigSwitch() {
    List<Server> servers = List.of(in("a", "s1"), in("b", "s2"), in("b", "s3"));
    return new Cluster("test", servers, Network.None.USUAL, 0);
  }

  /** s1 and s3 in rack a, s2 and s4 in rack b: racks take turns in the order of servers. */
  private static Cluster twoRacks() {
    return new Cluster(
        "test",
        List.of(in("a", "s1"), in("b", "s2"), in("a", "s3"), in("b", "s4")),
        List.of(new Rack("a", 2e9), new Rack("b", 3e9)),
        Network.None.USUAL,
        0);
  }

  private static List<String> names(Cluster cluster, IntList links) {
    return Arrays.stream(links.toArray())
        .mapToObj(i -> cluster.topology().links().get(i).name())
        .toList();
  }

  private static Placement ring(int... servers) {
    return Placement.of(servers, Arrays.stream(servers).map(_ -> 1).toArray());
  }

  @Test
  void onOneBigSwitchEachServerHasALinkInEitherDirection() {
    Cluster cluster = oneBigSwitch();
    assertThat(cluster.topology().links())
        .containsExactlyInAnyOrder(
            new Topology.Link("s1 to switch", 1e9),
            new Topology.Link("switch to s1", 1e9),
            new Topology.Link("s2 to switch", 1e9),
            new Topology.Link("switch to s2", 1e9),
            new Topology.Link("s3 to switch", 1e9),
            new Topology.Link("switch to s3", 1e9));
    assertThat(cluster.topology().rack(0)).isZero();
    assertThat(cluster.topology().rack(2)).isZero();
    assertThat(cluster.topology().crossesRacks(ring(0, 1, 2))).isFalse();
  }

  @Test
  void racksHaveAnUplinkAndADownlink() {
    Cluster cluster = twoRacks();
    assertThat(cluster.topology().links())
        .hasSize(12)
        .contains(
            new Topology.Link("s3 to a", 1e9),
            new Topology.Link("b to s4", 1e9),
            new Topology.Link("a to core", 2e9),
            new Topology.Link("core to a", 2e9),
            new Topology.Link("b to core", 3e9),
            new Topology.Link("core to b", 3e9));
    assertThat(cluster.topology().rack(2)).isZero();
    assertThat(cluster.topology().rack(3)).isEqualTo(1);
  }

  @Test
  void aPathGoesThroughTheCoreOnlyBetweenRacks() {
    Cluster cluster = twoRacks();
    assertThat(names(cluster, cluster.topology().path(0, 2))).containsExactly("s1 to a", "a to s3");
    assertThat(names(cluster, cluster.topology().path(2, 1)))
        .containsExactly("s3 to a", "a to core", "core to b", "b to s2");
    Cluster flat = oneBigSwitch();
    assertThat(names(flat, flat.topology().path(0, 2)))
        .containsExactly("s1 to switch", "switch to s3");
  }

  /** In the order s1, s2, s3, s4 it would cross each uplink twice; rack by rack it does not. */
  @Test
  void aRingVisitsItsServersRackByRack() {
    Cluster cluster = twoRacks();
    assertThat(names(cluster, cluster.topology().ring(ring(0, 1, 2, 3))))
        .containsExactly(
            "s1 to a",
            "a to s3",
            "s3 to a",
            "a to core",
            "core to b",
            "b to s2",
            "s2 to b",
            "b to s4",
            "s4 to b",
            "b to core",
            "core to a",
            "a to s1");
    assertThat(names(cluster, cluster.topology().ring(ring(3, 1))))
        .containsExactlyInAnyOrder("s4 to b", "b to s2", "s2 to b", "b to s4");
    assertThat(cluster.topology().ring(Placement.on(1, 8)).size()).isZero();
  }

  @Test
  void aServersRackMustBeThere() {
    assertThatThrownBy(() ->
            new Cluster(
                "test", List.of(in("z", "s1")), List.of(new Rack("a", 1)), Network.None.USUAL, 0))
        .hasMessage("no rack is called z");
  }

  /** What a ring crosses, from its servers and racks alone. */
  private static Set<String> crossed(Cluster cluster, List<Integer> servers) {
    Set<String> racks = new HashSet<>();
    Set<String> expected = new HashSet<>();
    for (int s : servers) {
      Server server = cluster.server(s);
      String above = cluster.racks().isEmpty() ? "switch" : server.rack();
      racks.add(above);
      expected.add(server.name() + " to " + above);
      expected.add(above + " to " + server.name());
    }
    if (racks.size() > 1) {
      racks.forEach(rack -> expected.addAll(List.of(rack + " to core", "core to " + rack)));
    }
    return servers.size() == 1 ? Set.of() : expected;
  }

  @Test
  void aRingIsOnEachOfItsLinksOnceAndOnNoOther() {
    Seeds.each(
        300,
        (random, _) -> {
          int racks = random.nextInt(5);
          List<Server> servers = new ArrayList<>();
          List<Rack> all = new ArrayList<>();
          for (int r = 0; r < racks; r++) {
            all.add(new Rack("r" + r, 1e9 * random.nextInt(1, 10)));
          }
          int count = random.nextInt(1, 13);
          for (int s = 0; s < count; s++) {
            servers.add(in("r" + random.nextInt(Math.max(1, racks)), "s" + s));
          }
          Cluster cluster = new Cluster("random", servers, all, Network.None.USUAL, 0);
          List<Integer> used = new ArrayList<>();
          for (int s = 0; s < count; s++) {
            if (random.nextBoolean()) {
              used.add(random.nextInt(used.size() + 1), s);
            }
          }
          if (used.isEmpty()) {
            used.add(random.nextInt(count));
          }
          Placement placement = ring(used.stream().mapToInt(Integer::intValue).toArray());
          assertThat(names(cluster, cluster.topology().ring(placement)))
              .doesNotHaveDuplicates()
              .containsExactlyInAnyOrderElementsOf(crossed(cluster, used));
          assertThat(cluster.topology().crossesRacks(placement))
              .isEqualTo(
                  racks > 0
                      && used.stream().map(s -> servers.get(s).rack()).distinct().count() > 1);
        });
  }
}
