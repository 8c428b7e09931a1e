package io.ringmaster.policy.slots;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.policy.View;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Mini-batches a second of jobs by their number of workers, each job alone on the fewest servers of
 * the empty cluster. Computed when asked for, and kept.
 */
public final class Speeds {
  private final Cluster cluster;
  private final IterationTime time;
  private final Map<Kind, Curve> curves = new HashMap<>();

  /** The curve that a job was last found to have. */
  private @Nullable Curve[] ofJob = new Curve[0];

  private record Kind(@Nullable ModelProfile profile, Demand demand) {}

  public Speeds(Cluster cluster) {
    this.cluster = cluster;
    this.time = IterationTime.of(cluster);
  }

  /** Of a job: without a search as long as it trains the same. */
  @SuppressWarnings("ReferenceEquality") // Another that is equal is found by the search.
  public Curve of(View view, int job) {
    if (job >= ofJob.length) {
      ofJob = Arrays.copyOf(ofJob, Math.max(job + 1, ofJob.length + ofJob.length / 2));
    }
    ModelProfile profile = view.profile(job);
    Demand demand = view.demand(job);
    Curve curve = ofJob[job];
    if (curve == null || curve.kind.profile() != profile || !curve.kind.demand().equals(demand)) {
      curve = of(profile, demand);
      ofJob[job] = curve;
    }
    return curve;
  }

  public Curve of(@Nullable ModelProfile profile, Demand demand) {
    return curves.computeIfAbsent(new Kind(profile, demand), Curve::new);
  }

  /** The speeds of jobs of one kind. */
  public final class Curve {
    private final Kind kind;
    private final int mostWorkers;
    private double[] byWorkers = {};

    private Curve(Kind kind) {
      this.kind = kind;
      this.mostWorkers = cluster.mostWorkers(kind.demand());
    }

    /** The most workers that the empty cluster holds. */
    public int mostWorkers() {
      return mostWorkers;
    }

    public double at(int workers) {
      if (workers >= byWorkers.length) {
        int known = byWorkers.length;
        byWorkers = Arrays.copyOf(byWorkers, Math.max(workers + 1, 2 * known));
      }
      if (byWorkers[workers] == 0) {
        double seconds =
            time.seconds(kind.profile(), cluster.idealPlacement(workers, kind.demand()), 1);
        byWorkers[workers] = workers / seconds;
      }
      return byWorkers[workers];
    }
  }
}
