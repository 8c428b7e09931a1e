package io.ringmaster.policy.classic;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.collect.LazyHeap;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The earliest time at which one waiting job will fit, by the expected ends of the running ones,
 * and what stays free at that time for others.
 */
final class Reservation {
  private final Placer placer;
  private final LazyHeap runningByEnd;
  private final IntList visited = new IntList();
  private double[] visitedEnds = new double[16];
  private int job = -1;
  private boolean stale;
  private double atSeconds;

  /** GPUs free at that time beyond the job's own, where their number alone counts. */
  private int extra;

  /** The job's servers, where it needs particular ones, and the room that it leaves on each. */
  private @Nullable Placement planned;

  private int[] room = new int[0];

  /**
   * Where more than GPUs is counted, what is free at that time: for others if the job needs
   * particular servers, else with what the job needs.
   */
  private @Nullable ScratchServers then;

  private int gpus;
  private Demand demand = Demand.NONE;

  Reservation(Placer placer, LazyHeap runningByEnd) {
    this.placer = placer;
    this.runningByEnd = runningByEnd;
  }

  double atSeconds() {
    return atSeconds;
  }

  /** A running job ended that had been expected to end at a time. */
  void ended(double expectedSeconds, double nowSeconds) {
    stale |= expectedSeconds > nowSeconds;
  }

  /** A running job's expected end changed. */
  void moved(double fromSeconds, double toSeconds) {
    stale |= fromSeconds != toSeconds && Math.min(fromSeconds, toSeconds) <= atSeconds;
  }

  /** Computes the reservation of a job, unless it stands and nothing it rests on has changed. */
  void renew(View view, int head) {
    if (head == job && !stale) {
      return;
    }
    job = head;
    stale = false;
    visited.clear();
    gpus = view.gpus(head);
    demand = view.demand(head);
    planned = null;
    then = null;
    if (placer.countSuffices() && !view.cluster().limitsMoreThanGpus()) {
      planNumber(view);
    } else {
      planServers(view);
    }
    for (int i = 0; i < visited.size(); i++) {
      runningByEnd.put(visited.get(i), visitedEnds[i]);
    }
  }

  private void planNumber(View view) {
    int free = view.free().total();
    atSeconds = view.nowSeconds();
    while (!runningByEnd.isEmpty() && (free < gpus || runningByEnd.peekKey() <= atSeconds)) {
      atSeconds = Math.max(atSeconds, runningByEnd.peekKey());
      free += view.placement(visit()).workers();
    }
    extra = free - gpus;
  }

  private void planServers(View view) {
    FreeServers free = view.free();
    atSeconds = view.nowSeconds();
    try (FreeServers.Supposition ifEnded = free.suppose()) {
      Placement found = null;
      while (!runningByEnd.isEmpty() && (found == null || runningByEnd.peekKey() <= atSeconds)) {
        atSeconds = Math.max(atSeconds, runningByEnd.peekKey());
        int ended = visit();
        ifEnded.release(view.placement(ended), view.demand(ended));
        found = placer.place(free, demand, gpus);
      }
      if (found == null) {
        throw new IllegalStateException(gpus + " GPUs do not fit the empty cluster");
      }
      if (view.cluster().limitsMoreThanGpus()) {
        ScratchServers state = new ScratchServers(free);
        if (!placer.countSuffices()) {
          state.take(found, demand);
        }
        then = state;
        return;
      }
      planned = found;
      room = new int[found.size()];
      for (int i = 0; i < room.length; i++) {
        room[i] = free.gpus(found.server(i)) - found.gpus(i);
      }
    }
  }

  private int visit() {
    if (visited.size() == visitedEnds.length) {
      visitedEnds = Arrays.copyOf(visitedEnds, 2 * visitedEnds.length);
    }
    visitedEnds[visited.size()] = runningByEnd.peekKey();
    int next = runningByEnd.poll();
    visited.add(next);
    return next;
  }

  /** True if a job that is still there at that time does not delay the reserved one. */
  boolean leavesRoom(Placement placement, Demand others) {
    ScratchServers state = then;
    if (state != null) {
      return leavesRoom(state, placement, others);
    }
    Placement mine = planned;
    if (mine == null) {
      return placement.workers() <= extra;
    }
    for (int i = 0; i < placement.size(); i++) {
      for (int k = 0; k < mine.size(); k++) {
        if (mine.server(k) == placement.server(i) && placement.gpus(i) > room[k]) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean leavesRoom(ScratchServers state, Placement placement, Demand others) {
    if (!state.holds(placement, others)) {
      return false;
    }
    if (!placer.countSuffices()) {
      return true;
    }
    try (FreeServers.Supposition used = state.suppose()) {
      used.take(placement, others);
      return placer.place(state, demand, gpus) != null;
    }
  }

  /** Counts a job in that will still be there at that time. */
  void use(Placement placement, Demand others) {
    if (then != null) {
      then.take(placement, others);
      return;
    }
    Placement mine = planned;
    if (mine == null) {
      extra -= placement.workers();
      return;
    }
    for (int i = 0; i < placement.size(); i++) {
      for (int k = 0; k < mine.size(); k++) {
        if (mine.server(k) == placement.server(i)) {
          room[k] -= placement.gpus(i);
        }
      }
    }
  }
}
