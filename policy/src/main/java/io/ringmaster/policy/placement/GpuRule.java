package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.policy.FreeServers;

/** Which GPUs a job takes, where each has a number and execution time that was planned onto it. */
public abstract class GpuRule {
  /**
   * Fills in the GPUs of a job, in ascending order. A server takes workers as far as its CPUs and
   * memory go. A ring that reserves a part of links stays in a rack or pod if it can, and goes on
   * one server if links are in the way.
   *
   * @param seconds what the job would add to the planned time of each
   * @param limit theta: no GPU may have more planned time than this
   * @param anyGpu whether busy GPUs may be taken too, to be waited for
   * @param into as long as the job has workers
   * @return false if the rule finds none
   */
  public final boolean choose(
      Gpus gpus, Demand demand, double seconds, double limit, boolean anyGpu, int[] into) {
    Gpus.Offer offer =
        new Gpus.Offer(gpus, demand, seconds, limit, anyGpu, FreeServers.ANYWHERE, -1);
    if (!gpus.reserves(demand)) {
      return choose(offer, into);
    }
    for (int which = 0; which < gpus.switches(); which++) {
      if (choose(offer.inside(which), into)) {
        return true;
      }
    }
    boolean found = choose(offer, into);
    for (int server = 0; !found && server < gpus.servers(); server++) {
      found = choose(offer.only(server), into);
    }
    return found;
  }

  abstract boolean choose(Gpus.Offer offer, int[] into);
}
