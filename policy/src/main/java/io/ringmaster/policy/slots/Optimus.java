package io.ringmaster.policy.slots;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

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
  private final Embedding embedding;
  private final EvenSpread evenSpread;
  private final Speeds speeds;
  private final Shares shares;

  public Optimus(Settings settings, Cluster cluster) {
    super(settings);
    this.embedding = Embedding.of(cluster);
    this.evenSpread = new EvenSpread(cluster);
    this.speeds = new Speeds(cluster);
    this.shares = new Shares(cluster);
  }

  /** How many workers a job is to have, and what one more is worth. */
  private static final class Goal {
    final int job;
    final Demand demand;
    final Speeds.Curve speed;
    final int most;
    final double work;
    final double share;
    int workers;
    double gain;

    Goal(View view, int job, Speeds speeds, Shares shares) {
      this.job = job;
      this.demand = view.demand(job);
      this.speed = speeds.of(view.profile(job), demand);
      this.most = Math.min(view.maxGpus(job), speed.mostWorkers());
      this.work =
          Math.max(0, view.estimateSeconds(job) - view.doneSeconds(job)) * speed.at(view.gpus(job));
      this.share = shares.ofWorker(demand);
      setWorkers(view.minGpus(job));
    }

    private void setWorkers(int to) {
      workers = to;
      gain = to < most ? (work / speed.at(to) - work / speed.at(to + 1)) / share : 0;
    }
  }

  @Override
  protected Map<Integer, Placement> share(View view, int[] jobs) {
    List<Goal> goals = allocate(view, jobs, shares.holding());
    ScratchServers free = new ScratchServers(view.cluster());
    Map<Integer, Placement> plan = new HashMap<>();
    for (Goal goal : goals) {
      if (view.running(goal.job) && view.placement(goal.job).workers() == goal.workers) {
        free.take(view.placement(goal.job), goal.demand);
        plan.put(goal.job, view.placement(goal.job));
      }
    }
    placeAll(
        view,
        goals,
        jobs,
        free,
        plan::containsKey,
        (job, placement) -> {
          free.take(placement, view.demand(job));
          plan.put(job, placement);
        });
    return plan;
  }

  @Override
  protected void fill(View view, Decisions decisions, int[] jobs) {
    Shares.Holding held = shares.holding();
    for (int job : jobs) {
      if (view.running(job)) {
        held.add(view.demand(job), view.placement(job).workers());
      }
    }
    int[] waiting = Arrays.stream(jobs).filter(view::waiting).toArray();
    List<Goal> goals = allocate(view, waiting, held);
    placeAll(view, goals, waiting, view.free(), view::running, decisions::start);
  }

  /**
   * Places what is to run; then, in what that leaves, others: where they run, or with their least
   * number.
   */
  private void placeAll(
      View view,
      List<Goal> goals,
      int[] jobs,
      FreeServers free,
      IntPredicate placed,
      BiConsumer<Integer, Placement> give) {
    for (Goal goal : goals) {
      if (!placed.test(goal.job)) {
        int least = view.minGpus(goal.job);
        offer(goal.job, place(free, goal.demand, least, goal.workers), give);
      }
    }
    for (int job : jobs) {
      int least = view.minGpus(job);
      if (least <= free.total() && !placed.test(job)) {
        Demand demand = view.demand(job);
        boolean stays = view.running(job) && free.holds(view.placement(job), demand);
        offer(job, stays ? view.placement(job) : place(free, demand, least, least), give);
      }
    }
  }

  private static void offer(
      int job, @Nullable Placement placement, BiConsumer<Integer, Placement> give) {
    if (placement != null) {
      give.accept(job, placement);
    }
  }

  /** The jobs that are to run, from the smallest to the largest. */
  private List<Goal> allocate(View view, int[] jobs, Shares.Holding held) {
    List<Goal> goals = new ArrayList<>();
    PriorityQueue<Goal> growing =
        new PriorityQueue<>(
            Comparator.comparingDouble((Goal g) -> -g.gain).thenComparingInt(g -> g.job));
    for (int job : jobs) {
      if (held.leaves(view.demand(job), view.minGpus(job))) {
        Goal goal = new Goal(view, job, speeds, shares);
        held.add(goal.demand, goal.workers);
        goals.add(goal);
        enqueue(growing, goal);
      }
    }
    while (!growing.isEmpty()) {
      Goal goal = growing.remove();
      if (held.leaves(goal.demand, 1)) {
        held.add(goal.demand, 1);
        goal.setWorkers(goal.workers + 1);
        enqueue(growing, goal);
      }
    }
    goals.sort(Comparator.comparingInt(g -> g.workers));
    return goals;
  }

  private static void enqueue(PriorityQueue<Goal> growing, Goal goal) {
    if (goal.gain > 0) {
      growing.add(goal);
    }
  }

  private @Nullable Placement place(FreeServers free, Demand demand, int least, int workers) {
    Placement even = evenSpread.place(free, demand, workers);
    return even != null ? even : embedding.most(free, demand, least, workers);
  }
}
