package io.ringmaster.policy.ordered;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.View;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What placement does to each job, worked out once for each model and size. */
public final class Costs {
  /** As many rings on a server as one that is scattered may well meet. */
  private static final int CROWD = 3;

  private final Cluster cluster;
  private final IterationTime time;
  private final IdentityHashMap<ModelProfile, Map<Size, Cost>> known = new IdentityHashMap<>();
  private final Map<Size, Cost> silent = new HashMap<>();

  private record Size(int gpus, Demand demand) {
    @Override
    public int hashCode() {
      return 31 * gpus + demand.hashCode();
    }
  }

  public Costs(Cluster cluster) {
    this.cluster = cluster;
    this.time = IterationTime.of(cluster);
  }

  /** Whether a job's speed depends on its neighbours. */
  public boolean neighboursMatter() {
    return time.neighboursMatter();
  }

  public Cost of(View view, int job) {
    ModelProfile profile = view.profile(job);
    Map<Size, Cost> bySize =
        profile == null ? silent : known.computeIfAbsent(profile, _ -> new HashMap<>());
    return bySize.computeIfAbsent(
        new Size(view.gpus(job), view.demand(job)), size -> cost(profile, size.gpus, size.demand));
  }

  private Cost cost(@Nullable ModelProfile profile, int gpus, Demand demand) {
    Placement nearest = cluster.idealPlacement(gpus, demand);
    double near = time.seconds(profile, nearest, 1);
    return new Cost(
        near,
        Math.max(near, time.scatteredSeconds(profile, gpus)),
        Math.min(near, time.fastestSeconds(profile, gpus)),
        nearest);
  }

  /** Whether being scattered, or beside other rings, makes a job slower by more than a factor. */
  public boolean suffers(View view, int job, double theta) {
    Cost cost = of(view, job);
    return cost.communicates(theta)
        || (time.neighboursMatter()
            && cost.nearest().crossesServers()
            && slowdown(view, job, cost.nearest(), CROWD) > theta);
  }

  /**
   * How many times as long as alone on its nearest servers a job takes at a placement.
   *
   * @param contenders rings on the busiest of its servers, with its own
   */
  public double slowdown(View view, int job, Placement placement, int contenders) {
    return time.seconds(view.profile(job), placement, contenders) / of(view, job).nearSeconds();
  }
}
