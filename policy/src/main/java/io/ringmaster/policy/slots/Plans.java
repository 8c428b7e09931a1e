package io.ringmaster.policy.slots;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Where jobs go whose numbers of workers are decided. */
public final class Plans {
  private Plans() {}

  /** A job and how many workers it is to have. */
  public record Goal(int job, Demand demand, int workers) {}

  /** Finds a place. */
  @FunctionalInterface
  public interface Room {
    /** Room for a job with at most so many workers, or null if there is too little. */
    @Nullable Placement find(FreeServers free, int job, Demand demand, int workers);

    /** The fewest workers for which it finds one. */
    default int least(View view, int job) {
      return view.minGpus(job);
    }
  }

  /**
   * Places all jobs anew. One that runs with as many workers as it is to have stays where it is.
   * What goals leave goes to other jobs: those that run there stay, or else have their least number
   * of workers.
   *
   * @param goals who is to run, in the order in which they are placed
   * @param jobs all that wait or run, in order of submission
   * @param free what there is for them
   */
  public static Map<Integer, Placement> of(
      View view, List<Goal> goals, int[] jobs, ScratchServers free, Room room) {
    Map<Integer, Placement> plan = new HashMap<>();
    for (Goal goal : goals) {
      if (view.running(goal.job()) && view.placement(goal.job()).workers() == goal.workers()) {
        free.take(view.placement(goal.job()), goal.demand());
        plan.put(goal.job(), view.placement(goal.job()));
      }
    }
    place(
        view,
        goals,
        jobs,
        free,
        plan::containsKey,
        (job, placement) -> {
          free.take(placement, view.demand(job));
          plan.put(job, placement);
        },
        room);
    return plan;
  }

  /** Places goals that are not placed yet; then, in what they leave, other jobs. */
  static void place(
      View view,
      List<Goal> goals,
      int[] jobs,
      FreeServers free,
      IntPredicate placed,
      BiConsumer<Integer, Placement> give,
      Room room) {
    for (Goal goal : goals) {
      if (!placed.test(goal.job())) {
        offer(goal.job(), room.find(free, goal.job(), goal.demand(), goal.workers()), give);
      }
    }
    // What is free only becomes less: where some workers found no place, as many find none later.
    Map<Demand, Integer> tooMany = new HashMap<>();
    for (int i = 0; i < jobs.length && free.total() > 0; i++) {
      int job = jobs[i];
      int least = room.least(view, job);
      if (least <= free.total() && !placed.test(job)) {
        Demand demand = view.demand(job);
        if (view.running(job) && free.holds(view.placement(job), demand)) {
          give.accept(job, view.placement(job));
        } else if (least < tooMany.getOrDefault(demand, Integer.MAX_VALUE)) {
          Placement placement = room.find(free, job, demand, least);
          offer(job, placement, give);
          if (placement == null) {
            tooMany.put(demand, least);
          }
        }
      }
    }
  }

  private static void offer(
      int job, @Nullable Placement placement, BiConsumer<Integer, Placement> give) {
    if (placement != null) {
      give.accept(job, placement);
    }
  }
}
