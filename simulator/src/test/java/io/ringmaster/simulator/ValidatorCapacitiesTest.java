package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rack;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Runs made by hand that take too much of something beside GPUs, or just enough.
 *
 * <p>Servers of 8 GPUs, 16 CPUs, 64 GB and a link of 4 GB/s; s1 and s2 in rack a, s3 and s4 in rack
 * b; uplinks of 3 GB/s. Gradients have no bytes, so every iteration takes a second anywhere, and a
 * job of 10 s runs 10 s wherever it is.
 */
class ValidatorCapacitiesTest {
  private static final ModelTable MODELS =
      ModelTable.standard()
          .with(
              List.of(
                  new ModelProfile("ring", 0, 1, 1, 0, "test"),
                  new ModelProfile("broad", 0, 1, 1, 0, "test").reserving(3.5e9)));
  private static final Network RESERVED = new Network.Reserved(new RingTerms(1, 0, 0, 100e9), 0);

  private static Cluster cluster(Network network) {
    List<Server> servers = new ArrayList<>();
    for (String name : List.of("s1", "s2", "s3", "s4")) {
      String rack = servers.size() < 2 ? "a" : "b";
      servers.add(new Server(name, 8, "v100", rack, 4e9, 1e10, 16, 64e9, 300));
    }
    return new Cluster(
        "test", servers, List.of(new Rack("a", 3e9), new Rack("b", 3e9)), network, 0);
  }

  /** Jobs of 10 s that run at once, or one after the other, each at a place. */
  private static final class Runner implements Validator.Outcomes {
    private final Cluster cluster;
    private final JobsBuilder jobs = Jobs.builder(MODELS);
    private final Segments segments = new Segments();
    private final List<Double> starts = new ArrayList<>();

    Runner(Network network) {
      this.cluster = cluster(network);
    }

    Runner run(double start, String model, Demand asked, Placement placement) {
      int job = jobs.size();
      jobs.addDuration("j" + job, 0, placement.workers(), 10, model).asking(asked);
      segments.segment(job, start, start + 10, 0, placement);
      starts.add(start);
      return this;
    }

    Runner ring(double start, String model, int... servers) {
      int[] gpus = new int[servers.length];
      Arrays.fill(gpus, 1);
      return run(start, model, Demand.NONE, Placement.of(servers, gpus));
    }

    List<String> findings() {
      return Validator.check(cluster, jobs.build(), segments, this);
    }

    @Override
    public double startSeconds(int job) {
      return starts.get(job);
    }

    @Override
    public double finishSeconds(int job) {
      return starts.get(job) + 10;
    }

    @Override
    public double heldSeconds(int job) {
      return 10;
    }

    @Override
    public int restarts(int job) {
      return 0;
    }
  }

  private static Runner runner() {
    return new Runner(RESERVED.reserving(2e9));
  }

  private static List<String> overbooked(String amount, String capacity, String... links) {
    return Stream.of(links)
        .map(link ->
            "link %s: %s of %s bytes a second are reserved at 0.0 s"
                .formatted(link, amount, capacity))
        .toList();
  }

  /** 3 x 5 CPUs and 1 more on s1, 2 x 32 GB on s2, links of s1 and s2 full, uplinks not quite. */
  @Test
  void acceptsWhatJustFits() {
    assertThat(
            runner()
                .run(0, "", new Demand(5, 0), Placement.on(0, 3))
                .run(0, "", new Demand(1, 0), Placement.on(0, 1))
                .run(0, "", new Demand(0, 32e9), Placement.on(1, 2))
                .ring(0, "ring", 0, 1)
                .ring(0, "ring", 0, 2)
                .ring(10, "ring", 0, 1, 2, 3)
                .ring(10, "ring", 2, 3)
                .findings())
        .isEmpty();
  }

  @Test
  void findsTooManyCpus() {
    assertThat(
            runner()
                .run(0, "", new Demand(5, 0), Placement.on(1, 2))
                .run(5, "", new Demand(6.5, 0), Placement.on(1, 1))
                .run(15, "", new Demand(16, 0), Placement.on(1, 1))
                .findings())
        .containsExactly("server s2: 16.5 of 16.0 CPUs are taken at 5.0 s");
  }

  @Test
  void findsTooMuchMemory() {
    assertThat(
            runner()
                .run(0, "", new Demand(0, 20e9), Placement.on(3, 3))
                .run(2, "", new Demand(0, 5e9), Placement.on(3, 1))
                .findings())
        .containsExactly("server s4: 65.0 of 64.0 GB of memory are taken at 2.0 s");
  }

  /** Three rings of 2 GB/s on links of 4: in either direction, at both ends. */
  @Test
  void findsAnOverbookedLinkInEitherDirection() {
    assertThat(
            runner().ring(0, "ring", 0, 1).ring(0, "ring", 0, 1).ring(0, "ring", 0, 1).findings())
        .containsExactlyInAnyOrderElementsOf(
            overbooked("6.0E9", "4.0E9", "s1 to a", "a to s1", "s2 to a", "a to s2"));
  }

  /** Two rings of 2 GB/s leave each rack, whose uplink has 3; no server's link is full. */
  @Test
  void findsAnOverbookedUplink() {
    assertThat(runner().ring(0, "ring", 0, 2).ring(0, "ring", 1, 3).findings())
        .containsExactlyInAnyOrderElementsOf(
            overbooked("4.0E9", "3.0E9", "a to core", "core to a", "b to core", "core to b"));
  }

  /** A model's own 3.5 GB/s fit a link, but no uplink. */
  @Test
  void aModelsOwnReservationCounts() {
    assertThat(runner().ring(0, "broad", 0, 1).ring(0, "broad", 2, 3).findings()).isEmpty();
    assertThat(runner().ring(0, "broad", 0, 2).findings())
        .containsExactlyInAnyOrderElementsOf(
            overbooked("3.5E9", "3.0E9", "a to core", "core to a", "b to core", "core to b"));
    assertThat(runner().ring(0, "broad", 0, 1).ring(0, "ring", 1, 0).findings()).hasSize(4);
  }

  /** A job on one server and a job without a model reserve nothing. */
  @Test
  void onlyRingsAcrossServersReserve() {
    Runner many = runner().ring(0, "ring", 0, 1).ring(0, "ring", 0, 1);
    for (int i = 0; i < 3; i++) {
      many.ring(0, "", 0, 1).run(0, "ring", Demand.NONE, Placement.on(0, 1));
    }
    assertThat(many.findings()).isEmpty();
  }

  /** By parts of the GPUs, or where bandwidth is shared, any number of rings fits. */
  @Test
  void withoutAFixedReservationLinksAreNeverFull() {
    for (Network network : List.of(RESERVED, Network.None.USUAL)) {
      Runner many = new Runner(network);
      for (int i = 0; i < 8; i++) {
        many.ring(0, "ring", 0, 1, 2, 3);
      }
      assertThat(many.findings()).isEmpty();
    }
  }
}
