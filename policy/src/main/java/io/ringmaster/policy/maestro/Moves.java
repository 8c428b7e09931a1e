package io.ringmaster.policy.maestro;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.ordered.PossiblePlaces;
import io.ringmaster.policy.ordered.ServerEnds;
import io.ringmaster.policy.placement.PlacementBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which running jobs would have to go on elsewhere so that a waiting one gets the servers it wants.
 * GPUs enough may be free, a few on each of many servers, while a job waits that needs a whole one.
 * A job that moves loses a restart and no more, so it does not matter who has more left to do.
 */
final class Moves {
  /** Of the servers with the most free GPUs so many are tried. */
  private static final int MOST_SERVERS = 16;

  private final PossiblePlaces places;
  private final Stops stops;
  private final PlacementBuilder builder = new PlacementBuilder();
  private final IntList servers = new IntList();
  private final IntList onServer = new IntList();

  /** Of the last search: who moves, and where to. */
  private final IntList moved = new IntList();

  private final List<Placement> targets = new ArrayList<>();

  private int decision;

  /** By job: the decision that last started or moved it. */
  private int[] decided = new int[0];

  Moves(PossiblePlaces places, Stops stops) {
    this.places = places;
    this.stops = stops;
  }

  /** Another decision begins. */
  void open() {
    decision++;
  }

  /** A job starts, or moves: it has no speed yet, and nobody moves it in the same decision. */
  void started(int job) {
    decided = Grow.ensure(decided, job + 1);
    decided[job] = decision;
  }

  private boolean isStarted(int job) {
    return job < decided.length && decided[job] == decision;
  }

  /** Who would move, by the last search. */
  IntList moved() {
    return moved;
  }

  /**
   * Finds jobs that can go elsewhere at once, and whose servers hold a shape then.
   *
   * @return where the shape goes; null if there are no such jobs
   */
  @Nullable Placement search(View view, Placement shape, Demand demand, double endSeconds) {
    moved.clear();
    targets.clear();
    builder.clear();
    FreeServers free = view.free();
    // Rings that take a part of links would have to be tried with every change.
    if (free.reserves(demand)) {
      return null;
    }
    try (FreeServers.Supposition supposed = free.suppose()) {
      for (int i = 0; i < shape.size(); i++) {
        if (!clear(view, supposed, shape.gpus(i), demand, shape.crossesServers(), endSeconds)) {
          return null;
        }
      }
    }
    return builder.build();
  }

  /** Makes room for a part of a shape on one server, and hides what it takes there. */
  private boolean clear(
      View view,
      FreeServers.Supposition supposed,
      int workers,
      Demand demand,
      boolean ring,
      double endSeconds) {
    FreeServers free = view.free();
    servers.clear();
    for (int s = free.freest(); s >= 0 && servers.size() < MOST_SERVERS; s = free.nextFreest(s)) {
      boolean may =
          view.cluster().gpus(s) >= workers
              && !builder.uses(s)
              && places.reservations().allows(s, workers, demand, ring, endSeconds);
      if (may) {
        servers.add(s);
      }
    }
    for (int i = 0; i < servers.size(); i++) {
      int size = supposed.size();
      int before = moved.size();
      if (clear(view, supposed, servers.get(i), workers, demand)) {
        builder.add(servers.get(i), workers);
        return true;
      }
      supposed.undoTo(size);
      while (moved.size() > before) {
        moved.pop();
        targets.removeLast();
      }
    }
    return false;
  }

  private boolean clear(
      View view, FreeServers.Supposition supposed, int server, int workers, Demand demand) {
    FreeServers free = view.free();
    onServer.clear();
    while (free.workers(server, demand) < workers) {
      int job = next(view, server, workers - free.gpus(server));
      if (job < 0) {
        return false;
      }
      onServer.add(job);
      supposed.release(view.placement(job), view.demand(job));
    }
    supposed.take(Placement.on(server, workers), demand);
    for (int i = 0; i < onServer.size(); i++) {
      int job = onServer.get(i);
      int target = target(view, job, server);
      if (target < 0) {
        return false;
      }
      Placement there = Placement.on(target, view.gpus(job));
      supposed.take(there, view.demand(job));
      moved.add(job);
      targets.add(there);
    }
    return true;
  }

  /** The largest job that does not free more than is missing; else the smallest; -1 if none may. */
  private int next(View view, int server, int missing) {
    ServerEnds ends = places.ends();
    int best = -1;
    for (int i = 0; i < ends.count(server); i++) {
      int job = ends.job(server, i);
      boolean may =
          view.running(job)
              && !isStarted(job)
              && view.placement(job).size() == 1
              && stops.mayMove(view, job)
              && !onServer.contains(job)
              && !moved.contains(job);
      if (may && (best < 0 || isBetter(view, job, best, missing))) {
        best = job;
      }
    }
    return best;
  }

  /** Of equal ones the first that came: in which order they stand here is an accident. */
  private static boolean isBetter(View view, int job, int than, int missing) {
    int gpus = view.gpus(job);
    int others = view.gpus(than);
    return gpus == others
        ? job < than
        : others > missing ? gpus < others : gpus <= missing && gpus > others;
  }

  /** The tightest other server with room for a job. */
  private int target(View view, int job, int server) {
    FreeServers free = view.free();
    int gpus = view.gpus(job);
    Demand demand = view.demand(job);
    double end = PossiblePlaces.end(view, job, 1);
    int target = free.bestFit(gpus, demand);
    while (target >= 0
        && (target == server
            || builder.uses(target)
            || free.workers(target, demand) < gpus
            || !places.reservations().allows(target, gpus, demand, false, end))) {
      target = free.nextTightest(target);
    }
    return target;
  }

  /** Moves whom the last search found. */
  void carryOut(View view, Decisions decisions) {
    for (int i = 0; i < moved.size(); i++) {
      int job = moved.get(i);
      decisions.resize(job, places.map(view, job, targets.get(i)));
      places.started(view, job, targets.get(i));
    }
  }
}
