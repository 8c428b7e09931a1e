package io.ringmaster.policy.slots;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where jobs go whose numbers of workers are decided. */
public final class Plans {
  private Plans() {}

  /** A job and how many workers it is to have. */
  public record Goal(int job, Demand demand, int workers) {}

  /** Finds a place. */
  @FunctionalInterface
  public interface Finder {
    /** Room for a job with at most so many workers, or null if there is too little. */
    @Nullable Placement find(FreeServers free, int job, Demand demand, int workers);
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
      View view, List<Goal> goals, int[] jobs, ScratchServers free, Finder room) {
    Map<Integer, Placement> plan = new HashMap<>();
    for (Goal goal : goals) {
      if (view.running(goal.job()) && view.placement(goal.job()).workers() == goal.workers()) {
        free.take(view.placement(goal.job()), goal.demand());
        plan.put(goal.job(), view.placement(goal.job()));
      }
    }
    for (Goal goal : goals) {
      if (!plan.containsKey(goal.job())) {
        Placement found = room.find(free, goal.job(), goal.demand(), goal.workers());
        offer(goal.job(), goal.demand(), found, free, plan);
      }
    }
    // What is free only becomes less: where some workers found no place, as many find none later.
    Map<Demand, Integer> tooMany = new HashMap<>();
    for (int i = 0; i < jobs.length && free.total() > 0; i++) {
      int job = jobs[i];
      int least = view.minGpus(job);
      if (least <= free.total() && !plan.containsKey(job)) {
        Demand demand = view.demand(job);
        if (view.running(job) && free.holds(view.placement(job), demand)) {
          offer(job, demand, view.placement(job), free, plan);
        } else if (least < tooMany.getOrDefault(demand, Integer.MAX_VALUE)) {
          Placement placement = room.find(free, job, demand, least);
          offer(job, demand, placement, free, plan);
          if (placement == null) {
            tooMany.put(demand, least);
          }
        }
      }
    }
    return plan;
  }

  private static void offer(
      int job,
      Demand demand,
      @Nullable Placement placement,
      ScratchServers free,
      Map<Integer, Placement> plan) {
    if (placement != null) {
      free.take(placement, demand);
      plan.put(job, placement);
    }
  }
}
