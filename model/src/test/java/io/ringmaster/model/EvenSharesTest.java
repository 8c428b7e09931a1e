package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.pipeline.Layer;
import io.ringmaster.model.pipeline.Pipeline;
import io.ringmaster.model.pipeline.Replicas;
import io.ringmaster.model.pipeline.Stage;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Even shares, worked out by hand.
 *
 * <p>Two servers of 4 GPUs, links of 4 GB/s: 1 GB/s for each GPU; 10 GB/s inside. Two layers with 1
 * and 3 GB of parameters and equal computation; 10 samples take 2 s and 4 s. In two stages of two
 * replicas each has a forward pass of 1 s, a backward pass of 2 s, sends 10 x 50 MB = 0.5 GB
 * forward and gets as much back: 1 GB between stages. Rings: 2 x 1 x 1/2 = 1 GB and 3 GB.
 */
class EvenSharesTest {
  private static final Offset<Double> EXACT = within(1e-12);
  private static final double GB = 1e9;
  private static final ModelProfile WHOLE =
      new ModelProfile("test", 4 * GB, 10, 0.2, 4, "test")
          .layered(List.of(new Layer(1, 0.05 * GB, 1), new Layer(3, 0, 1)));
  private static final ModelProfile TWO_BY_TWO = WHOLE.cut(Replicas.parse("2x2", 4));

  private static EvenShares shares(boolean overlap, int microBatches) {
    return new EvenShares(
        uniform(2, 4, Network.Contention.USUAL.sharing(new Pipelining(overlap, microBatches))));
  }

  private static Cluster uniform(int count, int gpus, Network network) {
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      servers.add(new Server("s" + s, gpus, "v100", "r1", gpus * GB, 10 * GB));
    }
    return new Cluster("test", servers, network, 10);
  }

  private static Placement two(int first, int second) {
    return Placement.of(new int[] {0, 1}, new int[] {first, second});
  }

  /** Each stage on a server of its own: 1 GB at 1 GB/s between them, rings inside. */
  private static final Placement APART = two(2, 2).mapped(new int[] {2, 0, 0, 2});

  /** One replica of each stage on each server. */
  private static final Placement MIXED = two(2, 2).mapped(new int[] {1, 1, 1, 1});

  /** 1 + 2 + 1 + 1/10 = 4.1 s and 1 + 2 + 1 + 3/10 = 4.3 s. */
  @Test
  void stagesApart() {
    assertThat(shares(false, 0).seconds(TWO_BY_TWO, APART, 1)).isCloseTo(4.3, EXACT);
  }

  /**
   * Half of the activations stay inside: 0.5/1 + 0.5/10 = 0.55 s. Rings have one GPU's share on
   * each server: 1 s and 3 s. 1 + 2 + 0.55 + 3 = 6.55 s.
   */
  @Test
  void stagesMixed() {
    assertThat(shares(false, 0).seconds(TWO_BY_TWO, MIXED, 1)).isCloseTo(6.55, EXACT);
  }

  /**
   * Both of the first stage and one of the second on a server, the other alone. The one alone: 1 s
   * of activations and 3 s of its ring; 1 + 2 + 1 + 3 = 7 s. The first stage: 3 + 0.55 + 0.1.
   */
  @Test
  void theSlowestServerOfTheSlowestStageCounts() {
    Placement placement = two(3, 1).mapped(new int[] {2, 1, 0, 1});
    assertThat(shares(false, 0).seconds(TWO_BY_TWO, placement, 1)).isCloseTo(7, EXACT);
  }

  /** 1 + 2 + 1/10 + 3/10. */
  @Test
  void onOneServer() {
    EvenShares time = shares(false, 0);
    assertThat(time.seconds(TWO_BY_TWO, Placement.on(1, 4), 1)).isCloseTo(3.4, EXACT);
    assertThat(time.fastestSeconds(TWO_BY_TWO, 4)).isCloseTo(3.4, EXACT);
  }

  /** Everything at 1 GB/s: 1 + 2 + 1 + 3. */
  @Test
  void scattered() {
    assertThat(shares(false, 0).scatteredSeconds(TWO_BY_TWO, 4)).isCloseTo(7, EXACT);
  }

  /** The ring of 3 GB is the heaviest edge: Heavy-Edge keeps stages apart. */
  @Test
  void withoutAMappingHeavyEdgeDecides() {
    EvenShares time = shares(false, 0);
    assertThat(time.seconds(TWO_BY_TWO, two(2, 2), 1)).isCloseTo(4.3, EXACT);
    assertThat(time.seconds(TWO_BY_TWO, two(2, 2), 5)).isCloseTo(4.3, EXACT);
    assertThat(time.neighboursMatter()).isFalse();
  }

  /** Mixed: 1 + 0.55 + max(2, 1) = 3.55 s and 1 + 0.55 + max(2, 3) = 4.55 s. */
  @Test
  void sumsOverlapTheBackwardPass() {
    assertThat(shares(true, 0).seconds(TWO_BY_TWO, MIXED, 1)).isCloseTo(4.55, EXACT);
    // Apart, rings hide: 1 + 1 + 2.
    assertThat(shares(true, 0).seconds(TWO_BY_TWO, APART, 1)).isCloseTo(4, EXACT);
  }

  /** Apart, four micro-batches: (4 + 4 + 3 x 4) / 4 + max(0.1, 0.3) = 5.3 s. */
  @Test
  void microBatchesFillAndEmptyThePipeline() {
    assertThat(shares(false, 4).seconds(TWO_BY_TWO, APART, 1)).isCloseTo(5.3, EXACT);
    // One micro-batch: 4 + 4 + 0.3.
    assertThat(shares(false, 1).seconds(TWO_BY_TWO, APART, 1)).isCloseTo(8.3, EXACT);
  }

  /**
   * Mixed, four micro-batches: (3.55 + 3.55 + 3 x 3.55) / 4 = 4.4375 s. The ring of 3 s can hide
   * behind the last micro-batch's backward pass of 2/4 s.
   */
  @Test
  void microBatchesThatOverlap() {
    assertThat(shares(true, 4).seconds(TWO_BY_TWO, MIXED, 1)).isCloseTo(4.4375 + 2.5, EXACT);
  }

  /**
   * One replica and then two: 1.5 mini-batches an iteration. First stage 1.5 s + 3 s, sends 0.75 GB
   * forward: 1.5 GB in all, 0.75 GB for each of the second stage, which take 0.75 s + 1.5 s and a
   * ring of 3 GB. On servers of their own: 4.5 + 1.5 = 6 s and 2.25 + 0.75 + 0.3 = 3.3 s.
   */
  @Test
  void unequalStages() {
    ModelProfile profile = WHOLE.cut(Replicas.parse("1x1,1x2", 3));
    Placement apart = two(1, 2).mapped(new int[] {1, 0, 0, 2});
    assertThat(shares(false, 0).seconds(profile, apart, 1)).isCloseTo(6, EXACT);
    assertThat(shares(false, 1).seconds(profile, apart, 1)).isCloseTo(6 + 3 + 0.3, EXACT);
  }

  /** Without stages: 6 s, and a ring of 2 x 4 x 3/4 = 6 GB at 2, 1 and 10 GB/s. */
  @Test
  void aJobWithoutStagesIsARing() {
    EvenShares time = shares(false, 0);
    assertThat(time.seconds(WHOLE, two(2, 2), 1)).isCloseTo(6 + 3, EXACT);
    assertThat(time.seconds(WHOLE, two(3, 1), 1)).isCloseTo(6 + 6, EXACT);
    assertThat(time.seconds(WHOLE, Placement.on(0, 4), 1)).isCloseTo(6.6, EXACT);
    assertThat(time.seconds(WHOLE, Placement.on(0, 1), 1)).isCloseTo(6, EXACT);
    assertThat(time.fastestSeconds(WHOLE, 1)).isCloseTo(6, EXACT);
    assertThat(time.scatteredSeconds(WHOLE, 1)).isCloseTo(6, EXACT);
    assertThat(time.scatteredSeconds(WHOLE, 4)).isCloseTo(12, EXACT);
  }

  @Test
  void aJobWithoutAModelDoesNotCommunicate() {
    EvenShares time = shares(false, 0);
    assertThat(time.seconds(null, two(2, 2), 1)).isEqualTo(1);
    assertThat(time.fastestSeconds(null, 4)).isEqualTo(1);
    assertThat(time.scatteredSeconds(null, 4)).isEqualTo(1);
  }

  /**
   * The second server has 2 GPUs and 8 GB/s, 4 GB/s for each, and 20 GB/s inside. First stage on
   * the first: 3 + 1 + 0.1 = 4.1 s, second on the second: 3 + 1/4 + 3/20 = 3.4 s. The other way
   * round 3 + 1 + 0.3 = 4.3 s and 3 + 1/4 + 1/20 = 3.3 s. At best 20 GB/s: 3 + 0.05 + 0.15.
   */
  @Test
  void serversThatDiffer() {
    List<Server> servers =
        List.of(
            new Server("a", 4, "v100", "r1", 4 * GB, 10 * GB),
            new Server("b", 2, "v100", "r1", 8 * GB, 20 * GB));
    EvenShares time =
        new EvenShares(
            new Cluster("test", servers, Network.Contention.USUAL.sharing(Pipelining.STEADY), 10));
    assertThat(time.seconds(TWO_BY_TWO, APART, 1)).isCloseTo(4.1, EXACT);
    Placement swapped = two(2, 2).mapped(new int[] {0, 2, 2, 0});
    assertThat(time.seconds(TWO_BY_TWO, swapped, 1)).isCloseTo(4.3, EXACT);
    assertThat(time.fastestSeconds(TWO_BY_TWO, 4)).isCloseTo(3.2, EXACT);
    assertThat(time.scatteredSeconds(TWO_BY_TWO, 4)).isCloseTo(7, EXACT);
  }

  @Test
  void aMappingMustBeOfTheJobsStages() {
    EvenShares time = shares(false, 0);
    assertThatThrownBy(() -> time.seconds(WHOLE, MIXED, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 stages are placed of 1");
    assertThatThrownBy(() -> time.seconds(TWO_BY_TWO, two(2, 1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("3 workers for the stages 2x2");
    assertThatThrownBy(() -> time.seconds(TWO_BY_TWO, two(2, 2).mapped(new int[] {1, 1, 2, 0}), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("stage 1 has 3 replicas placed of 2");
  }

  @Test
  void aMappingMustFitItsGpus() {
    for (int[] bad : new int[][] {{1, 1, 1}, {2, 1, 0, 1}, {3, -1, 1, 1}, {}}) {
      assertThatThrownBy(() -> two(2, 2).mapped(bad)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(MIXED).isNotEqualTo(two(2, 2)).isNotEqualTo(APART);
    assertThat(two(2, 2).isMapped()).isFalse();
    assertThat(two(2, 2).replicas(0)).isEmpty();
    assertThat(APART.replicas(1)).containsExactly(0, 2);
  }

  private static Network network(RandomGenerator random) {
    return Network.Contention.USUAL.sharing(
        new Pipelining(random.nextBoolean(), random.nextInt(3) * 2));
  }

  private static ModelProfile profile(RandomGenerator random) {
    List<Layer> layers = new ArrayList<>();
    int count = random.nextInt(2, 12);
    for (int i = 0; i < count; i++) {
      layers.add(new Layer(random.nextInt(20), random.nextInt(100) * 1e6, random.nextInt(1, 5)));
    }
    layers.add(new Layer(1, 1, 1));
    List<Integer> stages = new ArrayList<>();
    int most = random.nextInt(1, Math.min(count, 6) + 1);
    for (int s = 0; s < most; s++) {
      stages.add(random.nextInt(1, 5));
    }
    return new ModelProfile("random", random.nextInt(100) * 1e7, 4, 0.01, 0.1, "test")
        .layered(layers)
        .cut(new Replicas(stages));
  }

  /** Any mapping of the stages onto servers of eight GPUs, as many as there are replicas. */
  private static Placement anywhere(RandomGenerator random, Pipeline pipeline) {
    int servers = pipeline.gpus();
    int stages = pipeline.size();
    int[][] x = new int[servers][stages];
    int[] used = new int[servers];
    int span = random.nextInt((servers + 7) / 8, servers + 1);
    for (int s = 0; s < stages; s++) {
      for (int q = 0; q < pipeline.stage(s).replicas(); q++) {
        int server = random.nextInt(span);
        while (used[server] == 8) {
          server = (server + 1) % span;
        }
        x[server][s]++;
        used[server]++;
      }
    }
    return placement(x);
  }

  private static Placement placement(int[][] x) {
    List<Integer> order = new ArrayList<>();
    for (int server = 0; server < x.length; server++) {
      if (Arrays.stream(x[server]).sum() > 0) {
        order.add(server);
      }
    }
    int[] gpus = order.stream().mapToInt(i -> Arrays.stream(x[i]).sum()).toArray();
    int[] mapping = order.stream().flatMapToInt(i -> Arrays.stream(x[i])).toArray();
    return Placement.of(order.stream().mapToInt(Integer::intValue).toArray(), gpus).mapped(mapping);
  }

  private static Cluster random(RandomGenerator random, int servers) {
    double nic = random.nextInt(1, 40) * GB / 4;
    double intra = nic * random.nextInt(1, 30);
    List<Server> all = new ArrayList<>();
    for (int s = 0; s < servers; s++) {
      all.add(new Server("s" + s, 8, "v100", "r1", nic, intra));
    }
    return new Cluster("random", all, network(random), 10);
  }

  private static Pipeline pipeline(ModelProfile profile) {
    return EvenShares.pipeline(profile, new Replicas(stages(profile)).gpus());
  }

  private static List<Integer> stages(ModelProfile profile) {
    Pipeline pipeline = Objects.requireNonNull(profile.pipeline());
    return pipeline.stages().stream().map(Stage::replicas).toList();
  }

  @Test
  void anyMappingIsBetweenTheBestAndTheWorst() {
    Seeds.each(
        1000,
        (random, _) -> {
          ModelProfile profile = profile(random);
          Pipeline pipeline = pipeline(profile);
          EvenShares time = new EvenShares(random(random, pipeline.gpus()));
          double seconds = time.seconds(profile, anywhere(random, pipeline), 1);
          assertThat(seconds)
              .isGreaterThanOrEqualTo(time.fastestSeconds(profile, pipeline.gpus()) - 1e-9)
              .isLessThanOrEqualTo(time.scatteredSeconds(profile, pipeline.gpus()) + 1e-9);
        });
  }

  @Test
  void mergingTwoServersIsNeverSlower() {
    Seeds.each(
        1000,
        (random, _) -> {
          ModelProfile profile = profile(random);
          Pipeline pipeline = pipeline(profile);
          EvenShares time = new EvenShares(random(random, pipeline.gpus()));
          Placement placement = anywhere(random, pipeline);
          int[][] x = new int[pipeline.gpus()][pipeline.size()];
          List<Integer> order = new ArrayList<>();
          for (int i = 0; i < placement.size(); i++) {
            x[placement.server(i)] = placement.replicas(i);
            order.add(placement.server(i));
          }
          Collections.shuffle(order, Random.from(random));
          int to = order.getFirst();
          int from = order.getLast();
          if (from != to && Arrays.stream(x[from]).sum() + Arrays.stream(x[to]).sum() <= 8) {
            for (int s = 0; s < pipeline.size(); s++) {
              x[to][s] += x[from][s];
              x[from][s] = 0;
            }
            assertThat(time.seconds(profile, placement(x), 1))
                .isLessThanOrEqualTo(time.seconds(profile, placement, 1) + 1e-9);
          }
        });
  }
}
