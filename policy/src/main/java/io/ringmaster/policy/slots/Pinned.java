package io.ringmaster.policy.slots;

import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.View;
import java.util.Arrays;

/**
 * The jobs that may not be stopped, moved or resized. Whoever gives the cluster out anew gives out
 * what they leave.
 */
public final class Pinned {
  private final View view;
  private final int[] pinned;
  private final int[] others;

  /**
   * Tells them from the rest.
   *
   * @param jobs all that wait or run
   */
  public Pinned(View view, int[] jobs) {
    this.view = view;
    IntList staying = new IntList();
    for (int job : jobs) {
      if (view.pinned(job)) {
        staying.add(job);
      }
    }
    this.pinned = staying.toArray();
    this.others =
        pinned.length == 0 ? jobs : Arrays.stream(jobs).filter(job -> !view.pinned(job)).toArray();
  }

  /** Those that keep their places. */
  public int[] jobs() {
    return pinned;
  }

  /** The jobs that a plan may deal with, in the order given. */
  public int[] others() {
    return others;
  }

  /** What there is for the others: the whole cluster, but for the places of the pinned. */
  public ScratchServers free() {
    ScratchServers free = new ScratchServers(view.cluster());
    for (int job : pinned) {
      free.take(view.placement(job), view.demand(job));
    }
    return free;
  }

  /** What the pinned hold. */
  public Shares.Holding held(Shares shares) {
    Shares.Holding held = shares.holding();
    for (int job : pinned) {
      held.add(view.demand(job), view.placement(job).workers());
    }
    return held;
  }
}
