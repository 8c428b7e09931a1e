package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.policy.registry.Policies;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the file says and what the engine finds, put together. */
class InventoryTest {
  private static final double MANY = Double.POSITIVE_INFINITY;

  private static PlaneConfig config(Cluster cluster, boolean declared) {
    return new PlaneConfig(
        cluster,
        declared,
        ModelTable.standard(),
        "fifo",
        Map.of(),
        Map.of(),
        10,
        5,
        3,
        UserLimits.usual(),
        Policies::named);
  }

  private static Inventory declared(int servers, int gpus) {
    return new Inventory(
        config(Cluster.uniform(servers, gpus, Network.None.USUAL, 0), true), List.of());
  }

  private static Inventory found(Node... nodes) {
    return new Inventory(config(Inventory.found("slurm", List.of(nodes)), false), List.of());
  }

  private static Node node(String name, int gpus, double cpus, double memoryBytes) {
    return new Node(
        name,
        gpus,
        "h100",
        cpus,
        memoryBytes,
        Double.NaN,
        List.of("r9"),
        Map.of(),
        Node.Held.NOTHING,
        true);
  }

  private static Inventory.Change observe(Inventory inventory, Node... told) {
    return inventory.observe(List.of(told), Set::of);
  }

  @Test
  void whatTheFileSaysCountsAndWhatIsThereLimitsIt() {
    Inventory inventory = declared(3, 8);
    assertThat(inventory.open()).isEmpty();
    Node less = new Node("s0001", 4, true);
    Node more = new Node("s0002", 16, true);
    Inventory.Change change = observe(inventory, less, more);
    assertThat(change.rows()).containsExactly(new NodeRow(less), new NodeRow(more));
    assertThat(change.gone()).isEmpty();
    assertThat(inventory.usableGpus("s0001")).isEqualTo(4);
    assertThat(inventory.usableGpus("s0002")).isEqualTo(8);
    assertThat(inventory.usableGpus("s0003")).isZero();
    assertThat(inventory.open()).extracting(Server::gpus).containsExactly(4, 8);
    assertThat(inventory.whole().totalGpus()).isEqualTo(24);
    assertThat(inventory.differences(List.of(less, more)))
        .containsExactly(
            "node s0001: the cluster file says 8 GPUs, the engine found 4; 4 are used",
            "node s0002: the cluster file says 8 GPUs, the engine found 16; 8 are used",
            "node s0003: the cluster file names it, the engine did not find it");
    assertThat(observe(inventory, less, more).isEmpty()).isTrue();
  }

  @Test
  void everyKindOfDifferenceIsTold() {
    Server server = new Server("a", 8, "a100", "r1", 1e9, 1e9, 64, 512e9, 300);
    Cluster cluster =
        new Cluster("c", List.of(server), List.of(new Rack("r1", 1e9)), Network.None.USUAL, 0);
    Inventory inventory = new Inventory(config(cluster, true), List.of());
    assertThat(inventory.differences(List.of(node("a", 8, 32, 1e12))))
        .containsExactly(
            "node a: the cluster file says GPUs of kind a100, the engine found h100",
            "node a: the cluster file says 64 CPUs, the engine found 32",
            "node a: the cluster file says 512 GB of memory, the engine found 1000 GB",
            "node a: the cluster file says rack r1, the engine found r9");
    assertThat(inventory.differences(List.of(new Node("a", 8, true)))).isEmpty();
    observe(inventory, node("a", 8, 32, 1e12));
    assertThat(inventory.open())
        .containsExactly(new Server("a", 8, "a100", "r1", 1e9, 1e9, 32, 512e9, 300));
  }

  @Test
  void aNodeThatTheFileDoesNotNameJoins() {
    Server server = new Server("a", 8, "a100", "r1", 1e9, 1e9);
    Cluster cluster =
        new Cluster("c", List.of(server), List.of(new Rack("r1", 1e9)), Network.None.USUAL, 7);
    Inventory inventory = new Inventory(config(cluster, true), List.of());
    Node joined = node("b", 2, MANY, MANY);
    observe(inventory, new Node("a", 8, true), joined);
    assertThat(inventory.differences(List.of(new Node("a", 8, true), joined)))
        .containsExactly(
            "node b: the cluster file does not name it, the engine found it with 2 GPUs;"
                + " it is used");
    Cluster whole = inventory.whole();
    assertThat(whole.servers()).extracting(Server::name).containsExactly("a", "b");
    assertThat(whole.racks())
        .containsExactly(new Rack("r1", 1e9), new Rack("r9", Server.USUAL_NIC_BYTES_PER_SECOND));
    assertThat(whole.restartSeconds()).isEqualTo(7);
  }

  /** Ranks follow the nodes: first all of one pod, and there all of one rack. */
  @Test
  void aRingGoesPodByPodAndRackByRack() {
    Pod west = new Pod("west", 1e9);
    Pod east = new Pod("east", 1e9);
    List<Rack> racks =
        List.of(new Rack("r1", 1e9, west), new Rack("r2", 1e9, east), new Rack("r3", 1e9, west));
    List<Server> servers =
        List.of(
            new Server("a", 8, "a100", "r1", 1e9, 1e9),
            new Server("b", 8, "a100", "r2", 1e9, 1e9),
            new Server("c", 8, "a100", "r3", 1e9, 1e9),
            new Server("d", 8, "a100", "r1", 1e9, 1e9));
    Cluster cluster = new Cluster("c", servers, racks, Network.None.USUAL, 0);
    Inventory inventory = new Inventory(config(cluster, true), List.of());
    Allocation decided =
        new Allocation(
            List.of(
                new Allocation.Share("b", 1),
                new Allocation.Share("c", 2),
                new Allocation.Share("d", 3),
                new Allocation.Share("a", 4)));
    assertThat(inventory.inRingOrder(decided).shares())
        .extracting(Allocation.Share::node)
        .containsExactly("d", "a", "c", "b");
    observe(inventory, node("e", 2, MANY, MANY));
    assertThat(inventory.whole().racks().getLast().pod())
        .isEqualTo(new Pod("r9", Server.USUAL_NIC_BYTES_PER_SECOND));
  }

  @Test
  void withoutAFileWhatIsFoundIsTheCluster() {
    Inventory inventory = found(node("a", 8, 64, 1e12), node("b", 4, MANY, MANY));
    assertThat(inventory.whole().totalGpus()).isEqualTo(12);
    assertThat(inventory.open()).isEmpty();
    observe(inventory, node("a", 8, 64, 1e12), node("b", 4, MANY, MANY));
    assertThat(inventory.open())
        .containsExactly(
            new Server("a", 8, "h100", "r9", 10e9 / 8, 300e9 / 8, 64, 1e12, 700),
            new Server("b", 4, "h100", "r9", 10e9 / 8, 300e9 / 8, MANY, MANY, 700));
    Inventory.Change change = observe(inventory, node("b", 16, MANY, MANY), node("c", 1, 1, 1));
    assertThat(change.gone()).containsExactly("a");
    assertThat(change.rows()).extracting(NodeRow::name).containsExactly("b", "c");
    assertThat(inventory.whole().servers()).extracting(Server::gpus).containsExactly(16, 1);
    assertThat(inventory.differences(List.of(node("d", 1, 1, 1)))).isEmpty();
  }

  @Test
  void aNodeIsRememberedAsLongAsSomebodyHasAReasonTo() {
    Inventory inventory = found(new Node("a", 8, true), new Node("b", 4, true));
    observe(inventory, new Node("a", 8, true), new Node("b", 4, true), new Node("c", 2, true));
    inventory.put(new NodeRow(new Node("b", 4, true), true, "fan"));
    Inventory.Change change = inventory.observe(List.of(new Node("a", 8, true)), () -> Set.of("c"));
    assertThat(change.gone()).isEmpty();
    assertThat(change.rows())
        .containsExactly(
            new NodeRow(new Node("b", 4, false), true, "fan"),
            new NodeRow(new Node("c", 2, false)));
    assertThat(inventory.whole().totalGpus()).isEqualTo(14);
    assertThat(observe(inventory, new Node("a", 8, true)).gone()).containsExactly("c");
    assertThat(inventory.rows()).extracting(NodeRow::name).containsExactly("a", "b");
  }

  @Test
  void whatOthersHoldIsNotGivenAway() {
    Inventory inventory = declared(1, 8);
    observe(inventory, node("s0001", 6, 64, 100).heldByOthers(new Node.Held(2, 16, 25)));
    assertThat(inventory.usableGpus("s0001")).isEqualTo(4);
    assertThat(inventory.open())
        .containsExactly(Cluster.uniform(1, 8, Network.None.USUAL, 0).server(0).limited(4, 48, 75));
    observe(inventory, node("s0001", 6, 64, 100).heldByOthers(new Node.Held(7, 99, 99)));
    assertThat(inventory.usableGpus("s0001")).isZero();
    assertThat(inventory.open().getFirst().cpus()).isZero();
  }

  @Test
  void onlyOpenNodesAreUsed() {
    Inventory inventory = declared(2, 8);
    observe(inventory, new Node("s0001", 8, false), new Node("s0002", 8, true));
    assertThat(inventory.usableGpus("s0001")).isZero();
    assertThat(inventory.open()).extracting(Server::name).containsExactly("s0002");
    inventory.put(new NodeRow(new Node("s0002", 8, true), true, "fan"));
    assertThat(inventory.usableGpus("s0002")).isZero();
    assertThat(inventory.open()).isEmpty();
  }
}
