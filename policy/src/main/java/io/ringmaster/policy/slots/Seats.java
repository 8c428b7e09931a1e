package io.ringmaster.policy.slots;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The whole cluster, given out anew to jobs in an order. Jobs that run stay where they are as far
 * as the order allows: a place where one of them sits is given to a job ahead of it only if that
 * finds none as good elsewhere, and then the hindmost get up first.
 */
public final class Seats {
  private final View view;
  private final Placer placer;
  private final int[] order;

  /** What jobs so far have left. */
  private final ScratchServers left;

  /** Of that, what no job to come sits on. */
  private final ScratchServers idle;

  private final boolean[] sits;
  private final Map<Integer, Placement> plan = new HashMap<>();
  private int at = -1;

  /**
   * Begins before the first job.
   *
   * @param free what there is to be given out
   */
  public Seats(View view, Placer placer, int[] order, FreeServers free) {
    this.view = view;
    this.placer = placer;
    this.order = order;
    this.left = new ScratchServers(free);
    this.idle = new ScratchServers(free);
    this.sits = new boolean[order.length];
    for (int i = 0; i < order.length; i++) {
      if (view.running(order[i])) {
        idle.take(view.placement(order[i]), view.demand(order[i]));
        sits[i] = true;
      }
    }
  }

  /** Goes on to the next job of the order; false at the end, or when no GPU is left. */
  public boolean next() {
    at++;
    if (at == order.length || left.total() == 0) {
      return false;
    }
    getUp(at);
    return true;
  }

  /** The job whose turn it is. */
  public int job() {
    return order[at];
  }

  /** What it may have: all that no job ahead of it was given. */
  public FreeServers left() {
    return left;
  }

  /** Where it runs, if that is still to be had; null if it is not, or if the job waits. */
  public @Nullable Placement present() {
    if (!view.running(job())) {
      return null;
    }
    Placement placement = view.placement(job());
    return left.holds(placement, view.demand(job())) ? placement : null;
  }

  /**
   * Room for so many of its workers, or null if there is none.
   *
   * @param cost nobody gets up for a place that does not cost less
   */
  public @Nullable Placement find(int workers, ToDoubleFunction<Placement> cost) {
    Demand demand = view.demand(job());
    Placement best = placer.place(left, demand, workers);
    if (best == null) {
      return null;
    }
    Placement quiet = placer.place(idle, demand, workers);
    return quiet != null && cost.applyAsDouble(quiet) <= cost.applyAsDouble(best) ? quiet : best;
  }

  /** The job whose turn it is gets a place. */
  public void take(Placement placement) {
    Demand demand = view.demand(job());
    makeRoom(placement, demand);
    left.take(placement, demand);
    idle.take(placement, demand);
    plan.put(job(), placement);
  }

  /** Where each job is to run that was given a place. */
  public Map<Integer, Placement> plan() {
    return plan;
  }

  private void makeRoom(Placement placement, Demand demand) {
    for (int i = order.length - 1; i > at && !idle.holds(placement, demand); i--) {
      if (sits[i] && meet(view.placement(order[i]), placement)) {
        getUp(i);
      }
    }
    // An uplink may be reserved by jobs on other servers of the rack.
    for (int i = order.length - 1; i > at && !idle.holds(placement, demand); i--) {
      getUp(i);
    }
  }

  private void getUp(int position) {
    if (sits[position]) {
      sits[position] = false;
      idle.release(view.placement(order[position]), view.demand(order[position]));
    }
  }

  private static boolean meet(Placement a, Placement b) {
    for (int i = 0; i < a.size(); i++) {
      for (int k = 0; k < b.size(); k++) {
        if (a.server(i) == b.server(k)) {
          return true;
        }
      }
    }
    return false;
  }
}
