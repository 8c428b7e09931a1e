package io.ringmaster.policy.ordered;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeInside;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.PlacementBuilder;
import io.ringmaster.policy.placement.Seating;
import org.jspecify.annotations.Nullable;

/**
 * Where a waiting job could go within one pass: on as few servers as it can have, or on any, as far
 * as reservations of others allow it; and what either costs.
 */
public final class PossiblePlaces {
  private final Costs costs;
  private final Seating seating;
  private final ServerEnds ends;
  private final Reservations reservations;
  private final PlacementBuilder builder = new PlacementBuilder();

  public PossiblePlaces(Cluster cluster, Seating seating) {
    this.costs = new Costs(cluster);
    this.seating = seating;
    this.ends = new ServerEnds(cluster);
    this.reservations = new Reservations(cluster, ends);
  }

  public Costs costs() {
    return costs;
  }

  /** Who is on which server until when. */
  public ServerEnds ends() {
    return ends;
  }

  public Reservations reservations() {
    return reservations;
  }

  /** Begins a pass: takes in what has happened, and forgets reservations. */
  public void open(View view) {
    ends.observe(view);
    reservations.clear();
  }

  /** How many times as long as alone on its nearest servers a job takes, beside who is there. */
  public double slowdown(View view, int job, Placement placement) {
    return costs.slowdown(view, job, placement, ends.contenders(placement));
  }

  /**
   * Seconds that are lost if a waiting job starts at a placement rather than alone on its nearest
   * servers: its own, and those of rings that it slows down there. Where neighbours matter, one
   * more of them is expected to come.
   */
  public double lossSeconds(View view, int job, Placement placement) {
    if (!costs.neighboursMatter()) {
      return (costs.slowdown(view, job, placement, 1) - 1) * view.remainingSeconds(job);
    }
    double loss =
        (costs.slowdown(view, job, placement, ends.contenders(placement) + 1) - 1)
            * view.remainingSeconds(job);
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      for (int at = 0; at < ends.count(server); at++) {
        int other = ends.job(server, at);
        Placement ring = ends.ring(other);
        if (ring != null) {
          int contenders = ends.contenders(ring) - 1;
          double before = costs.slowdown(view, other, ring, contenders);
          double after = costs.slowdown(view, other, ring, contenders + 1);
          loss += (after / before - 1) * view.remainingSeconds(other);
        }
      }
    }
    return loss;
  }

  /** When a waiting job would end that is slowed down so much. */
  public static double end(View view, int job, double slowdown) {
    return view.nowSeconds() + view.remainingSeconds(job) * slowdown;
  }

  /** A job starts, or goes on, at a placement. */
  public void started(View view, int job, Placement placement) {
    double end = end(view, job, slowdown(view, job, placement));
    reservations.started(placement, view.demand(job), end);
    ends.add(view, job, placement, end);
  }

  /** By the rule of seating, where reservations allow it. */
  public @Nullable Placement anywhere(View view, int job, Cost cost) {
    FreeServers free = view.free();
    Placement placement = seating.place(view, free, job);
    if (placement == null || reservations.isEmpty()) {
      return placement;
    }
    double end = end(view, job, cost.farSeconds() / cost.nearSeconds());
    Demand demand = view.demand(job);
    if (reservations.allows(placement, demand, end)) {
      return placement;
    }
    try (FreeServers.Supposition hidden = free.suppose()) {
      reservations.hide(hidden, free, end);
      placement = seating.place(view, free, job);
    }
    // Links are not hidden.
    boolean open =
        placement == null || !free.reserves(demand) || reservations.allows(placement, demand, end);
    return open ? placement : null;
  }

  /** The same GPUs, with the replicas of a pipeline where they belong. */
  public Placement map(View view, int job, Placement placement) {
    return seating.map(view, job, placement);
  }

  /**
   * As few servers as on the empty cluster, each by best fit, where reservations allow it; in one
   * rack if one has them, else in one pod.
   */
  public @Nullable Placement near(View view, int job, Cost cost) {
    FreeServers free = view.free();
    Placement shape = cost.nearest();
    FreeInside inside = shape.crossesServers() ? free.inside() : null;
    Placement placement = null;
    if (inside != null) {
      IntList candidates = inside.candidates(shape.workers(), false);
      for (int i = 0; placement == null && i < candidates.size(); i++) {
        placement = near(view, job, shape, candidates.get(i));
      }
    }
    placement = placement != null ? placement : near(view, job, shape, FreeServers.ANYWHERE);
    if (placement != null) {
      double slowdown = reservations.isEmpty() ? 1 : slowdown(view, job, placement);
      return reservations.allows(placement, view.demand(job), end(view, job, slowdown))
          ? seating.map(view, job, placement)
          : null;
    }
    // Links may be in the way. Nothing will change that once everybody is gone.
    return free.total() == free.cluster().totalGpus() ? anywhere(view, job, cost) : null;
  }

  private @Nullable Placement near(View view, int job, Placement shape, int within) {
    FreeServers free = view.free();
    Demand demand = view.demand(job);
    boolean ring = shape.crossesServers();
    double end = end(view, job, 1);
    builder.clear();
    for (int i = 0; i < shape.size(); i++) {
      int workers = shape.gpus(i);
      int server = free.bestFit(workers, within);
      while (server >= 0
          && (builder.uses(server)
              || (ring ? free.workersOfRing(server, demand, within) : free.workers(server, demand))
                  < workers
              || !reservations.allows(server, workers, demand, ring, end))) {
        server = free.nextTightest(server, within);
      }
      if (server < 0) {
        return null;
      }
      builder.add(server, workers);
    }
    return builder.build();
  }
}
