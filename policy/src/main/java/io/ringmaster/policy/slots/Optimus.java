package io.ringmaster.policy.slots;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.EvenSpread;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.placement.Placer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Optimus (Peng, Bao, Chen, Wu, Guo, EuroSys 2018) for rings. In each slot every job first has its
 * least number of workers, and then, again and again, the job whose remaining time falls most for
 * what one more worker takes of its dominant resource has that worker (section 4.1). Jobs are
 * placed from the smallest to the largest, each evenly on the fewest servers (section 4.2).
 *
 * <p>Departures:
 *
 * <ul>
 *   <li>There are no parameter servers, so workers are the one thing to add, and the speed of a
 *       number of workers is that of a ring on the fewest servers of the empty cluster. Speeds and
 *       lengths are known, not fitted from runs (sections 3.1 and 3.2); the setting {@code
 *       estimate} makes lengths uncertain.
 *   <li>A job whose number of workers does not change stays where it is.
 *   <li>A job that cannot be spread evenly has as many of its workers as fit anywhere; with fewer
 *       than its least number it waits, and what it leaves goes to jobs that were not to run.
 *   <li>Where rings slow each other down, a job is spread over wholly free servers only; else most
 *       of the cluster's time goes into contention.
 *   <li>Between two slots, jobs that wait are dealt with likewise on what is free.
 * </ul>
 *
 * <p>One worker more can make a ring slower where two do not, as on the way to a second server. The
 * greedy stops there; so it does in the original.
 */
public final class Optimus extends SlottedPolicy {
  public static final PolicySpec SPEC =
      new PolicySpec(
          "optimus",
          "One more worker to the job that gains the most from it, again and again; in slots.",
          "Optimus, Peng et al., EuroSys 2018",
          List.of(SLOT, Estimate.PARAMETER),
          Pack::rule,
          Optimus::new);

  private final Placer placer;
  private final EvenSpread evenSpread;
  private final Speeds speeds;
  private final Shares shares;

  public Optimus(Settings settings, Cluster cluster) {
    super(settings);
    this.placer = new Pack(cluster);
    this.evenSpread = new EvenSpread(cluster);
    this.speeds = new Speeds(cluster);
    this.shares = new Shares(cluster);
  }

  /** A job that grows by one worker at a time. */
  private record OneByOne(
      int job, Demand demand, Speeds.Curve speed, int least, int most, double work)
      implements Allocation.Candidate {

    @Override
    public int next(int workers) {
      return Math.min(workers + 1, Math.max(workers, most));
    }

    @Override
    public double seconds(int workers) {
      return work / speed.at(workers);
    }
  }

  private OneByOne candidate(View view, int job) {
    Demand demand = view.demand(job);
    Speeds.Curve speed = speeds.of(view, job);
    double left = Math.max(0, view.estimateSeconds(job) - view.doneSeconds(job));
    return new OneByOne(
        job,
        demand,
        speed,
        view.minGpus(job),
        Math.min(view.maxGpus(job), speed.mostWorkers()),
        left * speed.at(view.gpus(job)));
  }

  @Override
  protected Map<Integer, Placement> share(View view, int[] jobs, Pinned pinned) {
    Shares.Holding held = pinned.held(shares);
    Allocation<OneByOne> allocation = new Allocation<>(shares, held);
    int[] others = pinned.others();
    for (int i = 0; i < others.length && held.gpusLeft() > 0; i++) {
      if (view.minGpus(others[i]) <= held.gpusLeft()) {
        allocation.add(candidate(view, others[i]));
      }
    }
    return Plans.of(view, goals(allocation), others, pinned.free(), room(view));
  }

  @Override
  protected void fill(View view, Decisions decisions, WaitingJobs queue) {
    Shares.Holding held = inUse(view);
    Allocation<OneByOne> allocation = new Allocation<>(shares, held);
    for (int job = queue.next(held.gpusLeft()); job >= 0; job = queue.next(held.gpusLeft())) {
      if (!allocation.add(candidate(view, job))) {
        queue.refuse(view.minGpus(job), view.demand(job));
      }
    }
    Plans.Finder room = room(view);
    // What is free only becomes less: where some workers found no place, as many find none later.
    Map<Demand, Integer> tooMany = new HashMap<>();
    for (Plans.Goal goal : goals(allocation)) {
      start(view, decisions, goal, room, tooMany);
    }
    // What they leave, others may have.
    queue.open(view);
    tooMany.forEach((demand, least) -> queue.refuse(least, demand));
    for (int job = queue.next(view.free().total());
        job >= 0;
        job = queue.next(view.free().total())) {
      Demand demand = view.demand(job);
      int least = view.minGpus(job);
      if (!start(view, decisions, new Plans.Goal(job, demand, least), room, tooMany)) {
        queue.refuse(least, demand);
      }
    }
  }

  private static boolean start(
      View view,
      Decisions decisions,
      Plans.Goal goal,
      Plans.Finder room,
      Map<Demand, Integer> tooMany) {
    int least = view.minGpus(goal.job());
    if (least >= tooMany.getOrDefault(goal.demand(), Integer.MAX_VALUE)) {
      return false;
    }
    Placement place = room.find(view.free(), goal.job(), goal.demand(), goal.workers());
    if (place == null) {
      tooMany.put(goal.demand(), least);
      return false;
    }
    decisions.start(goal.job(), place);
    return true;
  }

  private Shares.Holding inUse(View view) {
    Shares.Holding held = shares.holding();
    if (!view.cluster().limitsMoreThanGpus()) {
      return held.add(Demand.NONE, view.cluster().totalGpus() - view.free().total());
    }
    for (int job : activeJobs()) {
      if (view.running(job)) {
        held.add(view.demand(job), view.placement(job).workers());
      }
    }
    return held;
  }

  /** The jobs that are to run, from the smallest to the largest. */
  private static List<Plans.Goal> goals(Allocation<OneByOne> allocation) {
    List<Plans.Goal> goals = new ArrayList<>();
    allocation.grow();
    for (int i = 0; i < allocation.size(); i++) {
      OneByOne job = allocation.job(i);
      goals.add(new Plans.Goal(job.job(), job.demand(), allocation.workers(i)));
    }
    goals.sort(Comparator.comparingInt(Plans.Goal::workers));
    return goals;
  }

  private Plans.Finder room(View view) {
    return (free, job, demand, workers) -> {
      Placement even = evenSpread.place(free, demand, workers);
      return even != null ? even : placer.most(free, demand, view.minGpus(job), workers);
    };
  }
}
