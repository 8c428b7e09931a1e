package io.ringmaster.policy.gadget;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A job that may run in a slot.
 *
 * @param mostOnOne for each number of workers from {@code minWorkers} on, a profit that none of its
 *     placements on one server exceeds; negative infinity if there is none
 * @param mostAcross the same for placements on several servers
 * @param current where it runs now; null if it waits, or cannot stay there
 * @param profit what the slot is worth with a placement; it depends on nothing but the workers, the
 *     servers used, their links, and on whether it is the current placement
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record SlotJob(
    int id,
    Demand demand,
    int minWorkers,
    double[] mostOnOne,
    double[] mostAcross,
    @Nullable Placement current,
    ToDoubleFunction<Placement> profit) {
  public SlotJob {
    boolean isOption =
        current != null
            && current.workers() >= minWorkers
            && current.workers() < minWorkers + mostOnOne.length;
    current = isOption ? current : null;
  }

  public int maxWorkers() {
    return minWorkers + mostOnOne.length - 1;
  }

  public double profit(Placement placement) {
    return profit.applyAsDouble(placement);
  }

  /** No placement of so many workers on one server is worth more. */
  public double mostOnOneServer(int workers) {
    return mostOnOne[workers - minWorkers];
  }

  /** No placement of so many workers on several servers is worth more. */
  public double mostAcrossServers(int workers) {
    return mostAcross[workers - minWorkers];
  }

  /** No placement of so many workers is worth more. */
  public double most(int workers) {
    return Math.max(mostOnOneServer(workers), mostAcrossServers(workers));
  }
}
