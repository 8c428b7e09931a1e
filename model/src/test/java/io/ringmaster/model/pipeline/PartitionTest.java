package io.ringmaster.model.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionTest {
  /**
   * Compute 3, 1, 2, 2 on two stages of one replica: cut after the second, 4 | 4, beats 3 | 5 and 6
   * | 2.
   */
  @Test
  void theSlowestReplicaComputesLittle() {
    assertThat(starts(layers("3/9 1/9 2/9 2/9"), 1, 1)).containsExactly(0, 2, 4);
  }

  /** With one and two replicas: 3 | 5 / 2 has the bottleneck 3, 4 | 4 / 2 has 4. */
  @Test
  void replicasDivideTheWork() {
    assertThat(starts(layers("3/9 1/9 2/9 2/9"), 1, 2)).containsExactly(0, 1, 4);
  }

  /**
   * Compute 4, 1, 1, 0, 4 in three stages has the bottleneck 4 however the middle is cut: the cheap
   * place sends 1 + 2 bytes.
   */
  @Test
  void ofEqualCutsTheOneThatSendsLeast() {
    assertThat(starts(layers("4/1 1/7 1/5 0/2 4/9"), 1, 1, 1)).containsExactly(0, 1, 4, 5);
  }

  @Test
  void asManyStagesAsLayers() {
    assertThat(starts(layers("4/1 0/7 1/5"), 1, 1, 1)).containsExactly(0, 1, 2, 3);
    assertThat(starts(layers("4/1 0/7 1/5"), 5)).containsExactly(0, 3);
  }

  @Test
  void asGoodAsTheBestOfAllCuts() {
    Seeds.each(
        400,
        (random, _) -> {
          List<Layer> layers = new ArrayList<>();
          int count = random.nextInt(1, 10);
          for (int i = 0; i < count; i++) {
            layers.add(new Layer(1, random.nextInt(10), random.nextInt(6)));
          }
          layers.add(new Layer(1, 1, 1));
          int[] replicas = new int[random.nextInt(1, layers.size() + 1)];
          for (int s = 0; s < replicas.length; s++) {
            // Powers of two: quotients are exact, and equal ones are equal.
            replicas[s] = 1 << random.nextInt(3);
          }
          double[] best = {Double.POSITIVE_INFINITY, 0};
          everyCut(layers, replicas, new int[replicas.length + 1], 1, best);
          int[] starts = Partition.starts(layers, replicas);
          assertThat(cost(layers, replicas, starts)).isEqualTo(best);
        });
  }

  private static void everyCut(
      List<Layer> layers, int[] replicas, int[] starts, int stage, double[] best) {
    if (stage == replicas.length) {
      starts[stage] = layers.size();
      double[] cost = cost(layers, replicas, starts);
      if (cost[0] < best[0] || (cost[0] == best[0] && cost[1] < best[1])) {
        System.arraycopy(cost, 0, best, 0, 2);
      }
      return;
    }
    for (int from = starts[stage - 1] + 1; from < layers.size(); from++) {
      starts[stage] = from;
      everyCut(layers, replicas, starts, stage + 1, best);
    }
  }

  /** The slowest replica's computation, and what is sent. */
  private static double[] cost(List<Layer> layers, int[] replicas, int[] starts) {
    double slowest = 0;
    double sent = 0;
    for (int s = 0; s < replicas.length; s++) {
      List<Layer> own = layers.subList(starts[s], starts[s + 1]);
      assertThat(own).isNotEmpty();
      double compute = own.stream().mapToDouble(Layer::compute).sum();
      slowest = Math.max(slowest, compute / replicas[s]);
      sent += s + 1 < replicas.length ? own.getLast().sentBytesPerSample() : 0;
    }
    return new double[] {slowest, sent};
  }

  private static int[] starts(List<Layer> layers, int... replicas) {
    return Partition.starts(layers, replicas);
  }

  /** Layers written compute/bytes. */
  private static List<Layer> layers(String text) {
    List<Layer> layers = new ArrayList<>();
    for (String word : text.split(" ", -1)) {
      String[] parts = word.split("/", -1);
      layers.add(new Layer(1, Double.parseDouble(parts[1]), Double.parseDouble(parts[0])));
    }
    return layers;
  }
}
