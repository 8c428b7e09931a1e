package io.ringmaster.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.EvenShares;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.model.pipeline.Layer;
import io.ringmaster.model.pipeline.Replicas;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BestMappingTest {
  private static final double GB = 1e9;

  private static Cluster cluster(Pipelining pipelining, double... nics) {
    List<Server> servers = new ArrayList<>();
    for (double nic : nics) {
      servers.add(new Server("s" + servers.size(), 4, "v100", "r1", nic * GB, 10 * GB));
    }
    return new Cluster("test", servers, Network.Contention.USUAL.sharing(pipelining), 0);
  }

  /**
   * Links of 4 and 8 GB/s for four GPUs: 1 and 2 GB/s each. Two stages of two, 1 GB between them,
   * rings of 1 and 3 GB. The second stage on the second server: 3 + 1 + 0.1 = 4.1 s and 3 + 0.5 +
   * 0.3 = 3.8 s; the other way round 3 + 1 + 0.3 = 4.3 s, as Heavy-Edge has it: the heaviest ring
   * goes first. Mixed ones are slower: their rings take 1 s and more.
   */
  @Test
  void theBestOfAll() {
    ModelProfile profile =
        new ModelProfile("test", 4 * GB, 10, 0.2, 4, "test")
            .layered(List.of(new Layer(1, 0.05 * GB, 1), new Layer(3, 0, 1)))
            .cut(Replicas.parse("2x2", 4));
    Cluster cluster = cluster(Pipelining.STEADY, 4, 8);
    Placement placement = Placement.of(new int[] {0, 1}, new int[] {2, 2});
    EvenShares time = new EvenShares(cluster);
    assertThat(time.seconds(profile, placement, 1)).isCloseTo(4.3, within(1e-12));
    Placement best = BestMapping.of(cluster, profile, placement);
    assertThat(best).isEqualTo(placement.mapped(new int[] {2, 0, 0, 2}));
    assertThat(time.seconds(profile, best, 1)).isCloseTo(4.1, within(1e-12));
    // Two swaps get there, but the first alone gains nothing: 6.55 s or so on the way.
    assertThat(time.seconds(profile, time.refined(profile, placement), 1))
        .isCloseTo(4.3, within(1e-12));
  }

  @Test
  void twelveReplicasAreTheMost() {
    ModelProfile profile =
        ModelTable.standard().profiles().getFirst().cut(Replicas.parse("13", 13));
    Placement placement = Placement.of(new int[] {0, 1, 2, 3}, new int[] {4, 4, 4, 1});
    assertThatThrownBy(
            () -> BestMapping.of(cluster(Pipelining.STEADY, 4, 4, 4, 4), profile, placement))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("13 replicas are too many to try every way, at most 12");
  }

  /** Also where servers are alike and symmetry is used. */
  @Test
  void asGoodAsEveryAssignmentOfReplicasToGpus() {
    Seeds.each(
        60,
        (random, _) -> {
          Cluster cluster = random(random);
          ModelProfile profile = profile(random, 7);
          int[] stageOf = stages(profile);
          Placement placement = placement(random, stageOf.length, cluster.size());
          EvenShares time = new EvenShares(cluster);
          double least = least(time, profile, placement, stageOf, new ArrayList<>());
          Placement best = BestMapping.of(cluster, profile, placement);
          assertThat(time.seconds(profile, best, 1)).isEqualTo(least);
        });
  }

  /** Refined is between the best and plain Heavy-Edge, and the same every time. */
  @Test
  void swapsComeNearer() {
    Seeds.each(
        100,
        (random, _) -> {
          Cluster cluster = random(random);
          ModelProfile profile = profile(random, 9);
          Placement placement = placement(random, stages(profile).length, cluster.size());
          EvenShares time = new EvenShares(cluster);
          Placement refined = time.refined(profile, placement);
          double seconds = time.seconds(profile, refined, 1);
          assertThat(seconds)
              .isLessThanOrEqualTo(time.seconds(profile, placement, 1))
              .isGreaterThanOrEqualTo(
                  time.seconds(profile, BestMapping.of(cluster, profile, placement), 1) - 1e-12);
          assertThat(time.refined(profile, placement)).isEqualTo(refined);
          assertThat(refined.gpuCounts()).isEqualTo(placement.gpuCounts());
          // In the steady state no single swap is left that would help.
          if (cluster.network() instanceof Network.Share share
              && share.pipelining().microBatches() == 0) {
            assertThat(bestSwap(time, profile, refined)).isGreaterThan(seconds * (1 - 1e-9));
          }
        });
  }

  private static double bestSwap(EvenShares time, ModelProfile profile, Placement placement) {
    double best = Double.POSITIVE_INFINITY;
    int stages = placement.stages();
    for (int i = 0; i < placement.size(); i++) {
      for (int j = 0; j < placement.size(); j++) {
        for (int a = 0; a < stages && i != j; a++) {
          for (int b = 0; b < stages; b++) {
            if (placement.replicas(i, a) > 0 && placement.replicas(j, b) > 0) {
              int[] mapping = new int[placement.size() * stages];
              for (int k = 0; k < mapping.length; k++) {
                mapping[k] = placement.replicas(k / stages, k % stages);
              }
              mapping[i * stages + a]--;
              mapping[i * stages + b]++;
              mapping[j * stages + b]--;
              mapping[j * stages + a]++;
              best = Math.min(best, time.seconds(profile, placement.mapped(mapping), 1));
            }
          }
        }
      }
    }
    return best;
  }

  private static Cluster random(RandomGenerator random) {
    double[] nics = new double[random.nextInt(1, 4)];
    boolean alike = random.nextBoolean();
    for (int i = 0; i < nics.length; i++) {
      nics[i] = alike ? 4 : random.nextInt(1, 9);
    }
    return cluster(new Pipelining(random.nextBoolean(), 4 * random.nextInt(2)), nics);
  }

  private static ModelProfile profile(RandomGenerator random, int most) {
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      layers.add(new Layer(random.nextInt(1, 9), random.nextInt(100) * 1e6, random.nextInt(1, 4)));
    }
    List<Integer> stages = new ArrayList<>(List.of(1));
    int gpus = 1;
    while (stages.size() < 4 && gpus < most) {
      int next = random.nextInt(1, Math.min(3, most - gpus) + 1);
      stages.add(next);
      gpus += next;
    }
    return new ModelProfile("random", random.nextInt(1, 40) * 1e8, 4, 0.1, 0.5, "test")
        .layered(layers)
        .cut(new Replicas(stages.subList(0, Math.max(2, stages.size()))));
  }

  private static int[] stages(ModelProfile profile) {
    List<Integer> all = new ArrayList<>();
    List<Integer> replicas = Objects.requireNonNull(profile.pipeline()).replicas().ofStage();
    for (int s = 0; s < replicas.size(); s++) {
      for (int q = 0; q < replicas.get(s); q++) {
        all.add(s);
      }
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }

  /** On servers of four GPUs, or as many more as it takes on the first. */
  private static Placement placement(RandomGenerator random, int gpus, int servers) {
    int[] counts = new int[Math.min(servers, gpus)];
    Arrays.fill(counts, 1);
    for (int left = gpus - counts.length; left > 0; left--) {
      counts[random.nextInt(counts.length)]++;
    }
    int[] places = new int[counts.length];
    Arrays.setAll(places, i -> i);
    return Placement.of(places, counts);
  }

  /** Puts each replica on each server that has room. */
  private static double least(
      EvenShares time,
      ModelProfile profile,
      Placement placement,
      int[] stageOf,
      List<Integer> chosen) {
    if (chosen.size() == stageOf.length) {
      int stages = stageOf[stageOf.length - 1] + 1;
      int[] mapping = new int[placement.size() * stages];
      for (int v = 0; v < stageOf.length; v++) {
        mapping[chosen.get(v) * stages + stageOf[v]]++;
      }
      return time.seconds(profile, placement.mapped(mapping), 1);
    }
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < placement.size(); i++) {
      int server = i;
      if (chosen.stream().filter(c -> c == server).count() < placement.gpus(i)) {
        chosen.addLast(i);
        least = Math.min(least, least(time, profile, placement, stageOf, chosen));
        chosen.removeLast();
      }
    }
    return least;
  }
}
