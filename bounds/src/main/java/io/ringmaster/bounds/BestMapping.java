package io.ringmaster.bounds;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.EvenShares;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.model.pipeline.Pipeline;

/**
 * Where the replicas of a pipeline are best: every way to put them on the GPUs of a placement is
 * tried, and the one with the shortest iteration taken; of equal ones the first. Servers that are
 * alike, with as many GPUs for the job, change nothing if they change places: of such ways only one
 * is tried. There to measure Heavy-Edge against.
 */
public final class BestMapping {
  /** 12 replicas, each a stage of its own, on 4 servers of 3: 15,400 ways. */
  private static final int MOST_REPLICAS = 12;

  private final EvenShares time;
  private final ModelProfile profile;
  private final Placement placement;
  private final Pipeline pipeline;

  /** Whether a server is like the one before it. */
  private final boolean[] alike;

  private final int[] room;
  private final int[] x;
  private Placement best;
  private double bestSeconds = Double.POSITIVE_INFINITY;

  private BestMapping(Cluster cluster, ModelProfile profile, Placement placement) {
    this.time = new EvenShares(cluster);
    this.profile = profile;
    this.placement = placement;
    this.pipeline = EvenShares.pipeline(profile, placement.workers());
    this.alike = new boolean[placement.size()];
    for (int i = 1; i < alike.length; i++) {
      Server one = cluster.server(placement.server(i - 1)).named("");
      Server other = cluster.server(placement.server(i)).named("");
      alike[i] = one.equals(other) && placement.gpus(i - 1) == placement.gpus(i);
    }
    this.room = placement.gpuCounts();
    this.x = new int[placement.size() * pipeline.size()];
    this.best = placement;
  }

  /**
   * The placement with the best mapping.
   *
   * @throws IllegalArgumentException for a job with over 12 replicas
   */
  public static Placement of(Cluster cluster, ModelProfile profile, Placement placement) {
    if (placement.workers() > MOST_REPLICAS) {
      throw new IllegalArgumentException(
          "%d replicas are too many to try every way, at most %d"
              .formatted(placement.workers(), MOST_REPLICAS));
    }
    BestMapping search = new BestMapping(cluster, profile, placement);
    search.put(0, 0, search.pipeline.stage(0).replicas());
    return search.best;
  }

  /** Puts what is left of a stage on the i-th server and those behind it, then the next stages. */
  private void put(int stage, int i, int left) {
    int stages = pipeline.size();
    if (stage == stages) {
      double seconds = time.seconds(profile, placement.mapped(x.clone()), 1);
      if (seconds < bestSeconds) {
        bestSeconds = seconds;
        best = placement.mapped(x.clone());
      }
      return;
    }
    if (i == room.length) {
      if (left == 0) {
        put(stage + 1, 0, stage + 1 < stages ? pipeline.stage(stage + 1).replicas() : 0);
      }
      return;
    }
    int most = Math.min(left, room[i]);
    if (isTwin(stage, i)) {
      most = Math.min(most, x[(i - 1) * stages + stage]);
    }
    for (int here = most; here >= 0; here--) {
      x[i * stages + stage] = here;
      room[i] -= here;
      put(stage, i + 1, left - here);
      room[i] += here;
    }
    x[i * stages + stage] = 0;
  }

  /** Whether a server is like the one before it, and has the same of all stages before. */
  private boolean isTwin(int stage, int i) {
    boolean twin = alike[i];
    for (int s = 0; s < stage && twin; s++) {
      twin = x[i * pipeline.size() + s] == x[(i - 1) * pipeline.size() + s];
    }
    return twin;
  }
}
