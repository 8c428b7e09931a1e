package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs in which rings take turns; the rings of {@link Pairs} exchange for 1 s of 3. */
class TurnsRunTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final RingTerms TERMS = new RingTerms(1, 0.5, 0, 0.5e9);

  /**
   * Alone for 30 s, 10 iterations. Then both are held to 3.09 s until the first has done the other
   * 20, at 91.8 s. By then the second has done as many, and does the 10 that are left alone.
   */
  @Test
  void ringsAreHeldWhileTheyShareAServer() {
    Cluster cluster = Pairs.servers(3, new Network.Shifted(TERMS, 0.03));
    Jobs jobs = Pairs.jobs(0, 30, 30, 30);
    RunResult run = Scripted.run(cluster, jobs, Scripted.ring(0, 1), Scripted.ring(1, 2));
    assertThat(run.finishSeconds(0)).isCloseTo(91.8, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(121.8, EXACT);
  }

  /** Of two alike the one that came first goes first. The other has room enough. */
  @Test
  void theFirstIsNotSlowedDown() {
    Cluster cluster = Pairs.servers(3, new Network.Priority(TERMS));
    Jobs jobs = Pairs.jobs(0, 30, 30, 30);
    RunResult run = Scripted.run(cluster, jobs, Scripted.ring(0, 1), Scripted.ring(1, 2));
    assertThat(run.finishSeconds(0)).isCloseTo(90, EXACT);
    assertThat(run.finishSeconds(1)).isBetween(120.0, 122.0);
  }

  /** On all networks where rings feel each other, with rigid and elastic jobs. */
  @ParameterizedTest
  @MethodSource("io.ringmaster.simulator.PolicyVariants#all")
  void everyPolicyEndsAllJobsAndEachLosesWhatTheModelSays(PolicyVariants variant) {
    Seeds.each(
        6,
        (random, seed) -> {
          Network network = Workloads.sharing(random, seed);
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Jobs jobs = Workloads.mixed(random, cluster, 20, seed % 4 < 2);
          Segments rows = new Segments();
          RunResult run = Runs.run(cluster, jobs, variant.policy(), seed, rows, variant.given());
          assertThat(run.finished()).isEqualTo(jobs.size());
          assertThat(Validator.check(cluster, jobs, rows, run)).isEmpty();
        });
  }

  /**
   * Five servers of four and three jobs of five. The first has the first server and a GPU of the
   * second, the next the third and a GPU of the fourth; the last has the fifth, and a GPU beside
   * one of them. The first always transmits, the second hardly ever.
   */
  @Test
  void aRingGoesWhereItCanTakeTurns() {
    assertThat(places("consolidate").getLast()).isEqualTo("4:4 1:1");
    assertThat(places("compatible").getLast()).isEqualTo("4:4 3:1");
  }

  private static List<String> places(String rule) {
    ModelTable models =
        ModelTable.standard()
            .with(
                List.of(
                    new ModelProfile("sends", 1e9, 1, 0, 0.01, "test"),
                    new ModelProfile("computes", 0.1e9, 1, 0, 3, "test")));
    Jobs jobs =
        Jobs.builder(models)
            .addDuration("a", 0, 5, 100, "sends")
            .addDuration("b", 1, 5, 100, "computes")
            .addDuration("c", 2, 5, 100, "computes")
            .build();
    List<Server> servers =
        IntStream.range(0, 5)
            .mapToObj(i -> new Server(Cluster.serverName(i), 4, "v100", "r1", 1e9, 4e9))
            .toList();
    RingTerms terms = new RingTerms(1, 0, 0, Double.POSITIVE_INFINITY);
    Cluster cluster = new Cluster("five", servers, new Network.Shifted(terms, 0.03), 0);
    List<String> places = new ArrayList<>();
    RunObserver watcher =
        new RunObserver() {
          @Override
          public void segment(
              int job, double start, double end, double warmup, Placement placement) {
            places.add(job + " " + placement);
          }
        };
    Runs.run(cluster, jobs, "fifo", 1, watcher, "placement=" + rule);
    return places.stream().sorted().map(place -> place.substring(2)).toList();
  }
}
