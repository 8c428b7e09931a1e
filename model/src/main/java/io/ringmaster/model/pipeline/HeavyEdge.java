package io.ringmaster.model.pipeline;

import io.ringmaster.model.collect.Sorted;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Puts the replicas of a pipeline on servers such that heavy edges stay inside them. Luo, Liu, Lee,
 * Shroff, "Prediction-Assisted Online Distributed Deep Learning Workload Scheduling in GPU
 * Clusters", INFOCOM 2025 (arXiv 2501.05563), Heavy-Edge mapping: servers in decreasing order of
 * their GPUs; on each first both ends of the heaviest edge that is left, then again and again the
 * replica with the most weight to what is there already. Ties: more weight to what is left, lower
 * stage, lower replica.
 *
 * <p>Edges between two stages all weigh the same, so what a replica weighs is a sum for its stage
 * and one for its two neighbours on the ring: a step looks at each replica once.
 */
public final class HeavyEdge {
  private final int stages;
  private final double[] forward;
  private final double[] ring;

  /** The first replica of each stage, and behind the last the number of all. */
  private final int[] from;

  private final boolean[] placed;
  private final int[] left;

  /** Weight of a stage's replicas to the other stages' on the present server. */
  private final double[] stageWeight;

  /** Weight of a replica to its neighbours on the present server. */
  private final double[] ringWeight;

  private HeavyEdge(Pipeline pipeline) {
    this.stages = pipeline.size();
    this.forward = new double[stages];
    this.ring = new double[stages];
    this.from = new int[stages + 1];
    this.left = new int[stages];
    for (int s = 0; s < stages; s++) {
      Stage stage = pipeline.stage(s);
      forward[s] = s + 1 < stages ? pipeline.forwardEdge(s) : 0;
      ring[s] = stage.ringBytes();
      from[s + 1] = from[s] + stage.replicas();
      left[s] = stage.replicas();
    }
    this.placed = new boolean[from[stages]];
    this.ringWeight = new double[from[stages]];
    this.stageWeight = new double[stages];
  }

  /**
   * Maps a pipeline.
   *
   * @param gpus of each server for this job; together as many as the pipeline has replicas
   * @return how many replicas of stage s are on server i, at i * stages + s
   */
  public static int[] map(Pipeline pipeline, int[] gpus) {
    if (Arrays.stream(gpus).sum() != pipeline.gpus()) {
      throw new IllegalArgumentException(
          "%d GPUs for %d replicas".formatted(Arrays.stream(gpus).sum(), pipeline.gpus()));
    }
    return pipeline.size() == 1 ? gpus.clone() : new HeavyEdge(pipeline).map(gpus);
  }

  private int[] map(int[] gpus) {
    int[] mapping = new int[gpus.length * stages];
    for (int server : Sorted.by(Comparator.comparingInt(s -> -gpus[s]), gpus.length)) {
      Arrays.fill(stageWeight, 0);
      Arrays.fill(ringWeight, 0);
      int room = gpus[server];
      if (room >= 2) {
        room -= placeHeaviestEdge(mapping, server);
      }
      for (; room > 0; room--) {
        place(heaviest(), mapping, server);
      }
    }
    return mapping;
  }

  /** Returns how many replicas it placed: two, or none if nothing left is joined. */
  private int placeHeaviestEdge(int[] mapping, int server) {
    double most = 0;
    int one = -1;
    int other = -1;
    for (int s = 0; s < stages; s++) {
      if (ring[s] > most) {
        int first = firstOfPair(s);
        if (first >= 0) {
          most = ring[s];
          one = first;
          other = after(first, s);
        }
      }
      if (forward[s] > most && left[s] > 0 && left[s + 1] > 0) {
        most = forward[s];
        one = firstLeft(s);
        other = firstLeft(s + 1);
      }
    }
    if (one < 0) {
      return 0;
    }
    place(one, mapping, server);
    place(other, mapping, server);
    return 2;
  }

  private int firstLeft(int stage) {
    int v = from[stage];
    while (placed[v]) {
      v++;
    }
    return v;
  }

  /** The first replica of a stage that is left together with the next on the ring, or -1. */
  private int firstOfPair(int stage) {
    for (int v = from[stage]; v < from[stage + 1] && left[stage] > 1; v++) {
      if (!placed[v] && !placed[after(v, stage)]) {
        return v;
      }
    }
    return -1;
  }

  private int after(int v, int stage) {
    return v + 1 < from[stage + 1] ? v + 1 : from[stage];
  }

  private int before(int v, int stage) {
    return v > from[stage] ? v - 1 : from[stage + 1] - 1;
  }

  private int heaviest() {
    int best = -1;
    double bestWeight = -1;
    double bestLeft = -1;
    for (int s = 0; s < stages; s++) {
      for (int v = from[s]; v < from[s + 1] && left[s] > 0; v++) {
        double weight = stageWeight[s] + ringWeight[v];
        if (placed[v] || weight < bestWeight) {
          continue;
        }
        double weightLeft = weightToLeft(v, s);
        if (weight > bestWeight || weightLeft > bestLeft) {
          best = v;
          bestWeight = weight;
          bestLeft = weightLeft;
        }
      }
    }
    return best;
  }

  private double weightToLeft(int v, int stage) {
    double weight = stage + 1 < stages ? forward[stage] * left[stage + 1] : 0;
    weight += stage > 0 ? forward[stage - 1] * left[stage - 1] : 0;
    int next = after(v, stage);
    int previous = before(v, stage);
    weight += next != v && !placed[next] ? ring[stage] : 0;
    weight += previous != next && !placed[previous] ? ring[stage] : 0;
    return weight;
  }

  private void place(int v, int[] mapping, int server) {
    int stage = 0;
    while (from[stage + 1] <= v) {
      stage++;
    }
    placed[v] = true;
    left[stage]--;
    mapping[server * stages + stage]++;
    if (stage + 1 < stages) {
      stageWeight[stage + 1] += forward[stage];
    }
    if (stage > 0) {
      stageWeight[stage - 1] += forward[stage - 1];
    }
    int next = after(v, stage);
    int previous = before(v, stage);
    ringWeight[next] += ring[stage];
    if (previous != next) {
      ringWeight[previous] += ring[stage];
    }
  }
}
