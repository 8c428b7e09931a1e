package io.ringmaster.policy.maestro;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ServerRoom;
import io.ringmaster.policy.View;
import io.ringmaster.policy.ordered.Room;
import io.ringmaster.policy.ordered.ServerEnds;
import io.ringmaster.policy.placement.PlacementBuilder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which running jobs would have to stop so that a waiting one gets the servers it wants: the
 * hindmost, and none that is ahead of it.
 */
final class Victims {

  /** Tells who may be stopped. */
  interface Rule {
    /** Where a running job stands in the order. */
    double key(View view, int job);

    /**
     * It is not farther back than this, now or later; negative infinity if it never may be stopped.
     */
    double farthest(View view, int job);

    /** Whether it may be stopped now. */
    boolean open(View view, int job);
  }

  private final Rule rule;
  private final Room room;

  /**
   * No job on a server that may be stopped is farther back than this, until something happens on
   * the server.
   */
  private final double[] farthest;

  private final boolean[] chosen;
  private final PlacementBuilder builder = new PlacementBuilder();

  /** Of the last search. */
  private final IntList found = new IntList();

  private final IntList onServer = new IntList();
  private final IntList best = new IntList();
  private final ServerRoom cleared = new ServerRoom();
  private final ServerRoom all = new ServerRoom();
  private double foremost;

  Victims(Cluster cluster, Room room, Rule rule) {
    this.room = room;
    this.rule = rule;
    this.farthest = new double[cluster.size()];
    this.chosen = new boolean[cluster.size()];
    Arrays.fill(farthest, Double.NEGATIVE_INFINITY);
  }

  /** Jobs on these servers came, went, or are expected to end at another time. */
  void touch(Placement placement) {
    for (int i = 0; i < placement.size(); i++) {
      farthest[placement.server(i)] = Double.POSITIVE_INFINITY;
    }
  }

  /** Whether any job at all may be farther back than a place in the order. */
  boolean anyBehind(double key) {
    for (double place : farthest) {
      if (place > key) {
        return true;
      }
    }
    return false;
  }

  /** The jobs to stop, by the last search. */
  IntList found() {
    return found;
  }

  /**
   * Finds jobs behind a place in the order whose servers, once they are gone, hold a shape.
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
      int server = hindmost(view, shape.gpus(i), demand, ring, key, endSeconds);
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
   * The server whose foremost job that has to go is the farthest back; one with enough free GPUs
   * first. Those jobs are in best.
   */
  private int hindmost(
      View view, int workers, Demand demand, boolean ring, double key, double endSeconds) {
    int server = -1;
    double farthestBack = key;
    for (int s = 0; s < farthest.length; s++) {
      boolean may =
          !chosen[s]
              && view.cluster().gpus(s) >= workers
              && (farthest[s] > farthestBack || view.free().gpus(s) >= workers)
              && room.reservations().allows(s, workers, demand, ring, endSeconds);
      if (may && clear(view, s, workers, demand, ring, key) && foremost > farthestBack) {
        server = s;
        farthestBack = foremost;
        best.clear();
        best.addAll(onServer);
      }
    }
    return server;
  }

  /**
   * The hindmost jobs of a server that make room for so many workers. Those that are found already
   * are free for the taking.
   */
  private boolean clear(
      View view, int server, int workers, Demand demand, boolean ring, double key) {
    onServer.clear();
    foremost = Double.POSITIVE_INFINITY;
    ServerEnds ends = room.ends();
    double most = Double.NEGATIVE_INFINITY;
    view.free().copyRoom(server, cleared);
    all.set(cleared);
    for (int i = 0; i < ends.count(server); i++) {
      int job = ends.job(server, i);
      most = Math.max(most, rule.farthest(view, job));
      if (found.contains(job)) {
        ends.release(server, i, cleared);
        ends.release(server, i, all);
      } else if (behind(view, job, key)) {
        ends.release(server, i, all);
      }
    }
    farthest[server] = most;
    if (all.workers(demand, ring) < workers) {
      return false;
    }
    while (cleared.workers(demand, ring) < workers) {
      int last = -1;
      double lastKey = key;
      for (int i = 0; i < ends.count(server); i++) {
        int job = ends.job(server, i);
        if (!onServer.contains(job) && !found.contains(job) && behind(view, job, key)) {
          double own = rule.key(view, job);
          if (own > lastKey) {
            last = i;
            lastKey = own;
          }
        }
      }
      onServer.add(ends.job(server, last));
      foremost = lastKey;
      ends.release(server, last, cleared);
    }
    return true;
  }

  private boolean behind(View view, int job, double key) {
    return rule.farthest(view, job) > key && rule.open(view, job) && rule.key(view, job) > key;
  }
}
