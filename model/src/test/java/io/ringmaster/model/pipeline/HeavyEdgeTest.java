package io.ringmaster.model.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeavyEdgeTest {
  /**
   * Two stages of two. Edges between the stages 2 x 4 / 2 = 4, rings 2 x 6 / 2 = 6 and 2 x 10 / 2 =
   * 10: the second stage goes on the first server, what is left on the second.
   */
  @Test
  void heavyRingsStayTogether() {
    Pipeline pipeline = new Pipeline(List.of(new Stage(2, 1, 1, 4, 6), new Stage(2, 1, 1, 0, 10)));
    assertThat(HeavyEdge.map(pipeline, new int[] {2, 2})).containsExactly(0, 2, 2, 0);
  }

  /** Edges of 20 between the stages beat the rings: one of each on each server. */
  @Test
  void heavyActivationsStayTogether() {
    Pipeline pipeline = new Pipeline(List.of(new Stage(2, 1, 1, 20, 6), new Stage(2, 1, 1, 0, 10)));
    assertThat(HeavyEdge.map(pipeline, new int[] {2, 2})).containsExactly(1, 1, 1, 1);
  }

  /**
   * Four stages of one, edges 2, 6, 4 in a row. The larger server is the second: it takes stages 1
   * and 2 with the edge of 6, then stage 3 (4 against 2). The other has stage 0.
   */
  @Test
  void theLargestServerIsFilledFirst() {
    Pipeline pipeline =
        new Pipeline(
            List.of(
                new Stage(1, 1, 1, 1, 1),
                new Stage(1, 1, 1, 3, 1),
                new Stage(1, 1, 1, 2, 1),
                new Stage(1, 1, 1, 0, 1)));
    assertThat(HeavyEdge.map(pipeline, new int[] {1, 3})).containsExactly(1, 0, 0, 0, 0, 1, 1, 1);
  }

  /** Nothing weighs anything: lower stages come first. */
  @Test
  void withoutEdgesInOrder() {
    Pipeline pipeline = new Pipeline(List.of(new Stage(3, 1, 1, 0, 0), new Stage(1, 1, 1, 0, 0)));
    assertThat(HeavyEdge.map(pipeline, new int[] {2, 2})).containsExactly(2, 0, 1, 1);
  }

  @Test
  void oneStageIsWhereItsGpusAre() {
    Pipeline pipeline = Pipeline.dataParallel(5, 1, 1, 1);
    assertThat(HeavyEdge.map(pipeline, new int[] {2, 3})).containsExactly(2, 3);
  }

  @Test
  void gpusMustBeAsManyAsReplicas() {
    Pipeline pipeline = Pipeline.dataParallel(5, 1, 1, 1);
    assertThatThrownBy(() -> HeavyEdge.map(pipeline, new int[] {2, 2}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("4 GPUs for 5 replicas");
  }

  @Test
  void everyReplicaIsPlacedOnceAndAlwaysInTheSamePlace() {
    Seeds.each(
        300,
        (random, _) -> {
          Pipeline pipeline = pipeline(random, 7, 6, 1000);
          int[] gpus = servers(random, pipeline.gpus());
          int[] mapping = HeavyEdge.map(pipeline, gpus);
          assertWhole(pipeline, gpus, mapping);
          assertThat(HeavyEdge.map(pipeline, gpus)).isEqualTo(mapping);
        });
  }

  @Test
  void likeTheTextbook() {
    Seeds.each(
        400,
        (random, seed) -> {
          // Small numbers: many ties. All weights are whole, so sums are exact in any order.
          Pipeline pipeline = pipeline(random, 6, 5, seed % 2 == 0 ? 3 : 1000);
          int[] gpus = servers(random, pipeline.gpus());
          assertThat(HeavyEdge.map(pipeline, gpus)).isEqualTo(new Textbook(pipeline).map(gpus));
        });
  }

  @Test
  void keepsMoreInsideThanChanceDoes() {
    double[] kept = new double[2];
    Seeds.each(
        200,
        (random, _) -> {
          Pipeline pipeline = pipeline(random, 6, 5, 1000);
          int[] gpus = servers(random, pipeline.gpus());
          double chance = 0;
          for (int draw = 0; draw < 20; draw++) {
            chance += inside(pipeline, gpus.length, random(random, pipeline, gpus)) / 20;
          }
          double heavy = inside(pipeline, gpus.length, HeavyEdge.map(pipeline, gpus));
          kept[0] += heavy;
          kept[1] += chance;
        });
    // In the mean over all graphs. In some it does worse: it is greedy.
    assertThat(kept[0]).isGreaterThan(1.2 * kept[1]);
  }

  static void assertWhole(Pipeline pipeline, int[] gpus, int[] mapping) {
    int stages = pipeline.size();
    for (int i = 0; i < gpus.length; i++) {
      assertThat(Arrays.stream(mapping, i * stages, (i + 1) * stages).sum()).isEqualTo(gpus[i]);
    }
    for (int s = 0; s < stages; s++) {
      int sum = 0;
      for (int i = 0; i < gpus.length; i++) {
        assertThat(mapping[i * stages + s]).isNotNegative();
        sum += mapping[i * stages + s];
      }
      assertThat(sum).isEqualTo(pipeline.stage(s).replicas());
    }
  }

  /** Weights of edges are whole numbers: multiples of the replicas are sent and summed. */
  private static Pipeline pipeline(RandomGenerator random, int stages, int replicas, int weight) {
    int[] k = new int[random.nextInt(1, stages + 1)];
    Arrays.setAll(k, _ -> random.nextInt(1, replicas + 1));
    List<Stage> all = new ArrayList<>();
    for (int s = 0; s < k.length; s++) {
      double sent = s + 1 < k.length ? k[s + 1] * random.nextInt(weight + 1) : 0;
      all.add(new Stage(k[s], 1, 1, sent, k[s] * random.nextInt(weight + 1)));
    }
    return new Pipeline(all);
  }

  private static int[] servers(RandomGenerator random, int gpus) {
    List<Integer> counts = new ArrayList<>();
    for (int left = gpus; left > 0; left -= counts.getLast()) {
      counts.add(random.nextInt(1, Math.min(left, 8) + 1));
    }
    return counts.stream().mapToInt(Integer::intValue).toArray();
  }

  private static int[] random(RandomGenerator random, Pipeline pipeline, int[] gpus) {
    List<Integer> left = new ArrayList<>();
    for (int s = 0; s < pipeline.size(); s++) {
      left.addAll(Collections.nCopies(pipeline.stage(s).replicas(), s));
    }
    Collections.shuffle(left, Random.from(random));
    int[] mapping = new int[gpus.length * pipeline.size()];
    int next = 0;
    for (int i = 0; i < gpus.length; i++) {
      for (int g = 0; g < gpus[i]; g++) {
        mapping[i * pipeline.size() + left.get(next)]++;
        next++;
      }
    }
    return mapping;
  }

  /** Weight of edges inside servers, with the replicas of a stage in the order of the servers. */
  private static double inside(Pipeline pipeline, int servers, int[] mapping) {
    int stages = pipeline.size();
    double weight = 0;
    for (int i = 0; i < servers; i++) {
      for (int s = 0; s < stages; s++) {
        int here = mapping[i * stages + s];
        int k = pipeline.stage(s).replicas();
        int edges = here == k && k > 2 ? k : Math.max(0, here - 1);
        weight += edges * pipeline.stage(s).ringBytes();
        if (s + 1 < stages) {
          weight += here * mapping[i * stages + s + 1] * pipeline.forwardEdge(s);
        }
      }
    }
    return weight;
  }

  /** The algorithm as it is written down, on a matrix of weights and a list of edges. */
  private static final class Textbook {
    private final int stages;
    private final int[] stageOf;
    private final double[][] weight;
    private final List<int[]> edges = new ArrayList<>();
    private final boolean[] placed;

    Textbook(Pipeline pipeline) {
      stages = pipeline.size();
      stageOf = new int[pipeline.gpus()];
      weight = new double[stageOf.length][stageOf.length];
      placed = new boolean[stageOf.length];
      int from = 0;
      for (int s = 0; s < stages; s++) {
        int k = pipeline.stage(s).replicas();
        Arrays.fill(stageOf, from, from + k, s);
        for (int q = 0; q < (k == 2 ? 1 : k) && k > 1; q++) {
          join(from + q, from + (q + 1) % k, pipeline.stage(s).ringBytes());
        }
        for (int q = 0; q < k && s + 1 < stages; q++) {
          for (int other = 0; other < pipeline.stage(s + 1).replicas(); other++) {
            join(from + q, from + k + other, pipeline.forwardEdge(s));
          }
        }
        from += k;
      }
    }

    private void join(int one, int other, double joined) {
      weight[one][other] = joined;
      weight[other][one] = joined;
      edges.add(new int[] {one, other});
    }

    int[] map(int[] gpus) {
      int[] mapping = new int[gpus.length * stages];
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < gpus.length; i++) {
        order.add(i);
      }
      order.sort((a, b) -> gpus[b] - gpus[a]);
      for (int server : order) {
        List<Integer> here = new ArrayList<>();
        int[] edge = gpus[server] >= 2 ? heaviestEdge() : null;
        if (edge != null) {
          put(edge[0], here);
          put(edge[1], here);
        }
        while (here.size() < gpus[server]) {
          put(heaviest(here), here);
        }
        here.forEach(v -> mapping[server * stages + stageOf[v]]++);
      }
      return mapping;
    }

    private void put(int v, List<Integer> here) {
      placed[v] = true;
      here.add(v);
    }

    private int @Nullable [] heaviestEdge() {
      int[] best = null;
      double most = 0;
      for (int[] edge : edges) {
        double w = weight[edge[0]][edge[1]];
        if (!placed[edge[0]] && !placed[edge[1]] && w > most) {
          most = w;
          best = edge;
        }
      }
      return best;
    }

    private int heaviest(List<Integer> here) {
      int best = -1;
      for (int v = 0; v < placed.length; v++) {
        if (!placed[v] && (best < 0 || compare(v, best, here) > 0)) {
          best = v;
        }
      }
      return best;
    }

    private int compare(int v, int best, List<Integer> here) {
      int byHere = Double.compare(to(v, here), to(best, here));
      return byHere != 0 ? byHere : Double.compare(toLeft(v), toLeft(best));
    }

    private double to(int v, List<Integer> here) {
      return here.stream().mapToDouble(u -> weight[v][u]).sum();
    }

    private double toLeft(int v) {
      double sum = 0;
      for (int u = 0; u < placed.length; u++) {
        sum += placed[u] ? 0 : weight[v][u];
      }
      return sum;
    }
  }
}
