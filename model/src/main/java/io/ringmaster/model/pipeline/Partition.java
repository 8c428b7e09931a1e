package io.ringmaster.model.pipeline;

import java.util.List;

/**
 * Cuts a network's layers into consecutive stages such that the slowest replica computes as little
 * as can be; of all such cuts it takes one that sends the fewest bytes.
 */
final class Partition {
  /** Sums of the same layers in another order may differ by as much. */
  private static final double TOLERANCE = 1e-12;

  private final int layers;
  private final int[] replicas;
  private final double[] computed;
  private final double[] sent;

  private Partition(List<Layer> layers, int[] replicas) {
    this.layers = layers.size();
    this.replicas = replicas;
    this.computed = new double[this.layers + 1];
    this.sent = new double[this.layers + 1];
    for (int i = 0; i < this.layers; i++) {
      computed[i + 1] = computed[i] + layers.get(i).compute();
      sent[i + 1] = layers.get(i).sentBytesPerSample();
    }
  }

  /**
   * The first layer of each stage, and behind the last the number of layers.
   *
   * @param replicas of each stage; not more stages than layers
   */
  static int[] starts(List<Layer> layers, int[] replicas) {
    Partition partition = new Partition(layers, replicas);
    return partition.leastSent(partition.bottleneck() * (1 + TOLERANCE));
  }

  private double perReplica(int stage, int from, int to) {
    return (computed[to] - computed[from]) / replicas[stage];
  }

  /** The least that the slowest replica can have to compute. */
  private double bottleneck() {
    double[] best = new double[layers + 1];
    for (int to = 1; to <= layers; to++) {
      best[to] = perReplica(0, 0, to);
    }
    for (int stage = 1; stage < replicas.length; stage++) {
      double[] next = new double[layers + 1];
      for (int to = stage + 1; to <= layers; to++) {
        next[to] = Double.POSITIVE_INFINITY;
        for (int from = to - 1; from >= stage; from--) {
          double last = perReplica(stage, from, to);
          next[to] = Math.min(next[to], Math.max(best[from], last));
          if (last >= next[to]) {
            break;
          }
        }
      }
      best = next;
    }
    return best[layers];
  }

  private int[] leastSent(double limit) {
    int stages = replicas.length;
    double[][] least = new double[stages][layers + 1];
    int[][] start = new int[stages][layers + 1];
    for (int stage = 0; stage < stages; stage++) {
      for (int to = stage + 1; to <= layers; to++) {
        least[stage][to] = Double.POSITIVE_INFINITY;
        int first = stage == 0 ? 0 : stage;
        int last = stage == 0 ? 0 : to - 1;
        for (int from = last; from >= first && perReplica(stage, from, to) <= limit; from--) {
          double bytes = stage == 0 ? 0 : least[stage - 1][from] + sent[from];
          if (bytes < least[stage][to]) {
            least[stage][to] = bytes;
            start[stage][to] = from;
          }
        }
      }
    }
    int[] starts = new int[stages + 1];
    starts[stages] = layers;
    for (int stage = stages - 1; stage >= 0; stage--) {
      starts[stage] = start[stage][starts[stage + 1]];
    }
    return starts;
  }
}
