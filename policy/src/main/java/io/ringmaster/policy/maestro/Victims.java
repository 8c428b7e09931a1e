package io.ringmaster.policy.maestro;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ServerRoom;
import io.ringmaster.policy.View;
import io.ringmaster.policy.ordered.PossiblePlaces;
import io.ringmaster.policy.ordered.ServerEnds;
import io.ringmaster.policy.placement.PlacementBuilder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which running jobs would have to stop so that a waiting one gets the servers it wants: those that
 * are {@link Stops#fitness fit} for it the most, and none that is ahead of it.
 */
final class Victims {
  private final Rank rank;
  private final Stops stops;
  private final PossiblePlaces places;

  /** By job and by server, at this decision: what it has to be ahead of who would stop somebody. */
  private double[] place = new double[0];

  private double[] fitness = new double[0];
  private final double[] farthest;
  private double farthestOfAll;
  private boolean known;

  private final boolean[] chosen;
  private final PlacementBuilder builder = new PlacementBuilder();

  /** Of the last search. */
  private final IntList found = new IntList();

  private final IntList onServer = new IntList();
  private final IntList best = new IntList();
  private final ServerRoom cleared = new ServerRoom();
  private final ServerRoom all = new ServerRoom();
  private double leastFit;

  Victims(Cluster cluster, PossiblePlaces places, Rank rank, Stops stops) {
    this.rank = rank;
    this.places = places;
    this.stops = stops;
    this.farthest = new double[cluster.size()];
    this.chosen = new boolean[cluster.size()];
  }

  /** Another decision begins: all places are others now. */
  void open() {
    known = false;
  }

  /** Places are found once in a decision, and only if somebody asks. */
  private void look(View view) {
    known = true;
    farthestOfAll = Double.NEGATIVE_INFINITY;
    ServerEnds ends = places.ends();
    for (int server = 0; server < farthest.length; server++) {
      farthest[server] = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < ends.count(server); i++) {
        int job = ends.job(server, i);
        place = Grow.ensure(place, job + 1);
        fitness = Grow.ensure(fitness, job + 1);
        double key = rank.key(view, job);
        place[job] = stops.place(view, job, key);
        if (place[job] > Double.NEGATIVE_INFINITY) {
          fitness[job] = stops.fitness(view, job, key);
          farthest[server] = Math.max(farthest[server], place[job]);
        }
      }
      farthestOfAll = Math.max(farthestOfAll, farthest[server]);
    }
  }

  /** A job starts: nobody stops it in the same decision. */
  void started(int job) {
    place = Grow.ensure(place, job + 1);
    fitness = Grow.ensure(fitness, job + 1);
    place[job] = Double.NEGATIVE_INFINITY;
  }

  /** Whether any job at all may be behind a place in the order. */
  boolean anyBehind(View view, double key) {
    if (!stops.any()) {
      return false;
    }
    if (!known) {
      look(view);
    }
    return farthestOfAll > key;
  }

  /** The jobs to stop, by the last search. */
  IntList found() {
    return found;
  }

  /**
   * Finds jobs behind a place in the order whose servers, once they are gone, hold a shape. To be
   * asked if there are {@link #anyBehind} it.
   *
   * @return where the shape goes then; null if there are no such jobs
   */
  @Nullable Placement search(
      View view, Placement shape, Demand demand, double key, double endSeconds) {
    boolean ring = shape.crossesServers();
    found.clear();
    builder.clear();
    Arrays.fill(chosen, false);
    for (int i = 0; i < shape.size(); i++) {
      int server = fittest(view, shape.gpus(i), demand, ring, key, endSeconds);
      if (server < 0) {
        return null;
      }
      chosen[server] = true;
      builder.add(server, shape.gpus(i));
      best.forEach(job -> {
        if (!found.contains(job)) {
          found.add(job);
        }
      });
    }
    Placement placement = builder.build();
    return view.free().reserves(demand) && !holds(view, placement, demand) ? null : placement;
  }

  /** Uplinks may be in the way though the servers' links are not. */
  private boolean holds(View view, Placement placement, Demand demand) {
    try (FreeServers.Supposition gone = view.free().suppose()) {
      found.forEach(job -> gone.release(view.placement(job), view.demand(job)));
      return view.free().holds(placement, demand);
    }
  }

  /**
   * The server on which the least fit of those that have to go is the fittest; one with enough free
   * GPUs first. Those jobs are in best.
   */
  private int fittest(
      View view, int workers, Demand demand, boolean ring, double key, double endSeconds) {
    int server = -1;
    double fittest = Double.NEGATIVE_INFINITY;
    for (int s = 0; s < farthest.length; s++) {
      boolean may =
          !chosen[s]
              && view.cluster().gpus(s) >= workers
              && (farthest[s] > key || view.free().gpus(s) >= workers)
              && places.reservations().allows(s, workers, demand, ring, endSeconds);
      if (may && clear(view, s, workers, demand, ring, key) && leastFit > fittest) {
        server = s;
        fittest = leastFit;
        best.clear();
        best.addAll(onServer);
      }
    }
    return server;
  }

  /**
   * The fittest jobs of a server that make room for so many workers. Those that are found already
   * are free for the taking.
   */
  private boolean clear(
      View view, int server, int workers, Demand demand, boolean ring, double key) {
    onServer.clear();
    leastFit = Double.POSITIVE_INFINITY;
    ServerEnds ends = places.ends();
    view.free().copyRoom(server, cleared);
    all.set(cleared);
    for (int i = 0; i < ends.count(server); i++) {
      int job = ends.job(server, i);
      if (found.contains(job)) {
        ends.release(server, i, cleared);
        ends.release(server, i, all);
      } else if (place[job] > key) {
        ends.release(server, i, all);
      }
    }
    if (all.workers(demand, ring) < workers) {
      return false;
    }
    while (cleared.workers(demand, ring) < workers) {
      int next = -1;
      double most = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < ends.count(server); i++) {
        int job = ends.job(server, i);
        boolean may = place[job] > key && !onServer.contains(job) && !found.contains(job);
        if (may && fitness[job] > most) {
          next = i;
          most = fitness[job];
        }
      }
      onServer.add(ends.job(server, next));
      leastFit = most;
      ends.release(server, next, cleared);
    }
    return true;
  }
}
