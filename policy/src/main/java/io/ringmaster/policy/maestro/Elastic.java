package io.ringmaster.policy.maestro;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.Sorted;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.gadget.GreedySlot;
import io.ringmaster.policy.gadget.SlotJob;
import io.ringmaster.policy.gadget.SlotPlan;
import io.ringmaster.policy.gadget.SlotProblem;
import io.ringmaster.policy.maestro.Reasons.Kind;
import io.ringmaster.policy.maestro.Rules.Rule;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.slots.ActiveJobs;
import io.ringmaster.policy.slots.Pinned;
import io.ringmaster.policy.slots.Plans;
import io.ringmaster.policy.slots.SlottedPolicy;
import io.ringmaster.policy.slots.Speeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that may grow and shrink, and jobs of fixed sizes beside them. Whenever a job comes or goes,
 * GPUs are given out anew: where restarts are dear and jobs are few by {@link Rollout}, else by
 * jumps of the greatest gain for each GPU: from nothing to the least size of a job, and from there
 * from one power of two to a greater one. What a job's speed counts depends on its rank: the less
 * it has left, the more ({@code rank^e}, rank 1 for the most). The more jobs differ, the more the
 * rank counts.
 *
 * <p>The first jump of every job counts as if it were perfectly efficient: so jobs of fixed sizes
 * come in the order of their ranks, however many GPUs they want.
 */
final class Elastic implements Policy {
  /** What the least size of a job is worth that goes ahead of all others, for each GPU. */
  private static final double FIRST = 1e6;

  private static final double LEAST_EXPONENT = 0.1;
  private static final double MOST_EXPONENT = 0.6;
  private static final double EXPONENT_OF_VARIATION = 0.5;

  /** Restarts that a change must at least save. */
  private static final double HYSTERESIS = 2;

  /** Of its gain a change costs at most this share, so that nothing stays as it is for ever. */
  private static final double MOST_COST = 0.9;

  /** Restarts are dear if they take this share of what jobs have left in the mean, or more. */
  private static final double DEAR_RESTART = 0.01;

  /** With more jobs than this, all GPUs are given out anew once in a while only. */
  private static final int MANY = 400;

  private static final double WHILE_SECONDS = 60;

  /** Of the jobs that wait, so many times the GPUs are looked at, the first ones. */
  private static final int LOOKED_AT = 2;

  /** Between two such times, so many waiting jobs are tried on what is free. */
  private static final int TRIED = 64;

  private final Rules rules;
  private final boolean longestFirst;
  private final Rank rank;
  private final Reasons reasons = new Reasons();
  private final Speeds speeds;
  private final IterationTime time;
  private final Placer placer;
  private final GreedySlot greedy = new GreedySlot();
  private final ActiveJobs active = new ActiveJobs();
  private int[] stops = new int[0];
  private double nextSeconds = Double.NEGATIVE_INFINITY;

  Elastic(Rules rules, Cluster cluster, boolean longestFirst) {
    this.rules = rules;
    this.longestFirst = longestFirst;
    this.rank = new Rank(rules);
    this.speeds = new Speeds(cluster);
    this.time = IterationTime.of(cluster);
    this.placer = new Pack(cluster);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    view.ended().forEach(job -> rank.stopWaiting(view, job));
    active.update(view);
    view.arrived()
        .forEach(job -> {
          stops = Grow.ensure(stops, job + 1);
          rank.arrive(view, job);
        });
    boolean elders = false;
    while (rank.nextElder(view) >= 0) {
      elders = true;
    }
    int[] jobs = active.toArray();
    boolean changed = elders || view.arrived().size() > 0 || view.ended().size() > 0;
    if (jobs.length == 0) {
      return;
    }
    boolean due = view.nowSeconds() >= nextSeconds && (changed || jobs.length > MANY);
    if (elders || due) {
      giveOut(view, decisions, jobs);
      nextSeconds =
          jobs.length > MANY ? view.nowSeconds() + WHILE_SECONDS : Double.NEGATIVE_INFINITY;
    } else if (changed && view.free().total() > 0) {
      fill(view, decisions, jobs);
    }
    double wake =
        Math.min(rank.nextElderSeconds(), nextSeconds > 0 ? nextSeconds : Double.POSITIVE_INFINITY);
    if (wake < Double.POSITIVE_INFINITY) {
      decisions.wakeAt(wake);
    }
  }

  /** Shares the whole cluster out. */
  private void giveOut(View view, Decisions decisions, int[] all) {
    Pinned pinned = new Pinned(view, all);
    int[] jobs = pinned.others();
    int[] looked = first(view, jobs, LOOKED_AT * view.cluster().totalGpus());
    Map<Integer, Placement> next = mayPlay(view, jobs) ? played(view, jobs, pinned) : Map.of();
    if (next.isEmpty()) {
      next = greedy(view, looked, pinned);
    }
    for (int job : jobs) {
      note(view, job, next.get(job));
    }
    SlottedPolicy.carryOut(view, decisions, jobs, next);
    for (int job : looked) {
      if (view.running(job)) {
        decisions.scaleLearningRate(job, (double) view.placement(job).workers() / view.gpus(job));
      }
    }
  }

  /**
   * Whether to look ahead. What is played knows of no job to come. Where restarts are cheap, so
   * that every step can soon be mended, jumps are better; where they are dear, it pays to look
   * ahead. Rules that are played also let small jobs pass a large one: not once that is an elder.
   */
  private boolean mayPlay(View view, int[] jobs) {
    if (jobs.length == 0 || jobs.length > Rollout.MOST_JOBS || !rules.has(Rule.GROWTH)) {
      return false;
    }
    double left = 0;
    for (int job : jobs) {
      if (view.waiting(job) && rank.isElder(job)) {
        return false;
      }
      left += rank.left(view, job) / view.gpus(job);
    }
    return view.cluster().restartSeconds() >= DEAR_RESTART * left / jobs.length;
  }

  /** By jumps of the greatest gain. */
  private Map<Integer, Placement> greedy(View view, int[] jobs, Pinned pinned) {
    SlotProblem problem = new SlotProblem(view.cluster(), candidates(view, jobs), pinned.free());
    SlotPlan plan = greedy.solve(problem, view.random());
    Map<Integer, Placement> next = new HashMap<>();
    for (int i = 0; i < jobs.length; i++) {
      Placement placement = plan.placements().get(i);
      if (placement != null) {
        next.put(jobs[i], placement);
      }
    }
    return next;
  }

  /** By the first step of the best of some rules that were played to the end; empty if none is. */
  private Map<Integer, Placement> played(View view, int[] jobs, Pinned pinned) {
    ScratchServers free = pinned.free();
    double[] keys = keys(view, jobs);
    int[] order = Sorted.by(Comparator.comparingDouble(i -> keys[i]), jobs.length);
    List<Rollout.Job> played = new ArrayList<>();
    for (int i : order) {
      played.add(played(view, jobs[i]));
    }
    Cluster cluster = view.cluster();
    int[] workers =
        new Rollout(
                played,
                free.total(),
                cluster.startSeconds(),
                cluster.restartSeconds(),
                longestFirst)
            .run();
    List<Plans.Goal> goals = new ArrayList<>();
    for (int i = 0; i < workers.length; i++) {
      if (workers[i] > 0) {
        int job = jobs[order[i]];
        goals.add(new Plans.Goal(job, view.demand(job), workers[i]));
      }
    }
    goals.sort(Comparator.comparingInt(goal -> -goal.workers()));
    int[] served = goals.stream().mapToInt(Plans.Goal::job).sorted().toArray();
    return Plans.of(
        view, goals, served, free, (room, _, demand, w) -> placer.place(room, demand, w));
  }

  private Rollout.Job played(View view, int job) {
    Speeds.Curve speed = speeds.of(view.profile(job), view.demand(job));
    int least = Math.min(view.minGpus(job), speed.mostWorkers());
    double[] all = new double[Math.min(view.maxGpus(job), speed.mostWorkers()) + 1];
    for (int w = least; w < all.length; w++) {
      all[w] = speed.at(w) / speed.at(Math.min(view.gpus(job), speed.mostWorkers()));
    }
    int present = view.running(job) ? view.placement(job).workers() : 0;
    return new Rollout.Job(
        rank.left(view, job) / view.gpus(job),
        all,
        least,
        present,
        isProtected(view, job) && present > 0,
        view.attainedGpuSeconds(job) > 0);
  }

  private void note(View view, int job, @Nullable Placement next) {
    if (view.running(job) && next == null) {
      stops[job]++;
      rank.await(view, job);
      reasons.put(job, Kind.EVICTED);
    } else if (view.waiting(job) && next != null) {
      rank.stopWaiting(view, job);
      reasons.put(job, rank.isElder(job) ? Kind.ELDER : Kind.GROWS, next.workers(), 0);
    } else if (next != null && !next.equals(view.placement(job))) {
      reasons.put(job, Kind.GROWS, next.workers(), 0);
    } else if (next == null) {
      reasons.put(job, Kind.WAITS);
    }
  }

  /** Gives what is free to jobs that wait. */
  private void fill(View view, Decisions decisions, int[] jobs) {
    int[] waiting = Arrays.stream(jobs).filter(view::waiting).toArray();
    int[] tried = first(view, waiting, TRIED);
    SlotPlan plan =
        greedy.fill(new SlotProblem(view.cluster(), candidates(view, tried), view.free()));
    for (int i = 0; i < tried.length; i++) {
      Placement placement = plan.placements().get(i);
      if (placement != null) {
        note(view, tried[i], placement);
        decisions.start(tried[i], placement);
        decisions.scaleLearningRate(tried[i], (double) placement.workers() / view.gpus(tried[i]));
      }
    }
  }

  /** All that run, and of those that wait as many as are worth a look. */
  private int[] first(View view, int[] jobs, int most) {
    int[] waiting = Arrays.stream(jobs).filter(view::waiting).toArray();
    if (waiting.length <= most) {
      return jobs;
    }
    double[] keys = keys(view, waiting);
    int[] order = Sorted.by(Comparator.comparingDouble(i -> keys[i]), waiting.length);
    IntStream chosen = Arrays.stream(order, 0, most).map(i -> waiting[i]);
    return IntStream.concat(Arrays.stream(jobs).filter(view::running), chosen).sorted().toArray();
  }

  private double[] keys(View view, int[] jobs) {
    double[] keys = new double[jobs.length];
    for (int i = 0; i < keys.length; i++) {
      boolean byLength = longestFirst && !rank.isElder(jobs[i]);
      keys[i] = byLength ? -rank.left(view, jobs[i]) : rank.key(view, jobs[i]);
    }
    return keys;
  }

  private List<SlotJob> candidates(View view, int[] jobs) {
    double[] keys = keys(view, jobs);
    double[] weights = weights(view, jobs, keys);
    List<SlotJob> candidates = new ArrayList<>(jobs.length);
    for (int i = 0; i < jobs.length; i++) {
      candidates.add(candidate(view, jobs[i], weights[i]));
    }
    return candidates;
  }

  private double[] weights(View view, int[] jobs, double[] keys) {
    int n = jobs.length;
    double exponent = exponent(view, jobs);
    int[] hindmostFirst =
        Sorted.by(
            Comparator.<Integer>comparingDouble(i -> -keys[i])
                .thenComparing(Comparator.reverseOrder()),
            n);
    double[] weights = new double[n];
    for (int r = 0; r < n; r++) {
      weights[hindmostFirst[r]] = Math.pow(r + 1, exponent);
    }
    return weights;
  }

  /** The more jobs differ in what they have left, the more their order counts. */
  private double exponent(View view, int[] jobs) {
    if (!rules.has(Rule.ORDER)) {
      return 0;
    }
    double sum = 0;
    double squares = 0;
    for (int job : jobs) {
      double left = rank.left(view, job);
      sum += left;
      squares += left * left;
    }
    double mean = sum / jobs.length;
    double variation =
        mean > 0 ? Math.sqrt(Math.max(0, squares / jobs.length - mean * mean)) / mean : 0;
    return Math.clamp(
        LEAST_EXPONENT + EXPONENT_OF_VARIATION * variation, LEAST_EXPONENT, MOST_EXPONENT);
  }

  private SlotJob candidate(View view, int job, double weight) {
    Speeds.Curve speed = speeds.of(view.profile(job), view.demand(job));
    int least = Math.min(view.minGpus(job), speed.mostWorkers());
    int most = rules.has(Rule.GROWTH) ? Math.min(view.maxGpus(job), speed.mostWorkers()) : least;
    // Not a factor: it is to run, not to grow before others.
    double bonus = isProtected(view, job) ? FIRST * least : 0;
    double unit = weight * least / speed.at(least);
    double[] worth = new double[most - least + 1];
    for (int w = least; w <= most; w++) {
      worth[w - least] =
          isSize(w, least, most) ? bonus + unit * speed.at(w) : Double.NEGATIVE_INFINITY;
    }
    @Nullable Placement current = view.running(job) ? view.placement(job) : null;
    boolean ranBefore = view.attainedGpuSeconds(job) > 0;
    double left = Math.max(0, view.estimateSeconds(job) - view.doneSeconds(job));
    double ideal = speed.at(Math.min(view.gpus(job), speed.mostWorkers()));
    double restart = ranBefore ? HYSTERESIS * view.cluster().restartSeconds() : 0;
    return new SlotJob(
        job,
        view.demand(job),
        least,
        worth,
        worth,
        current,
        placement -> {
          if (!isSize(placement.workers(), least, most) && !Objects.equals(placement, current)) {
            return Double.NEGATIVE_INFINITY;
          }
          double rate = placement.workers() / time.seconds(view.profile(job), placement, 1);
          double gain = unit * rate;
          if (Objects.equals(placement, current) || restart == 0) {
            return bonus + gain;
          }
          double runs = left * ideal / rate;
          return bonus + gain * (1 - Math.min(MOST_COST, restart / Math.max(runs, 1e-9)));
        });
  }

  /** Elders, and who was stopped so often that it may not be stopped again. */
  private boolean isProtected(View view, int job) {
    return rank.isElder(job) || (view.running(job) && stops[job] >= rules.stopping().most());
  }

  /** The least and the most, and powers of two between them. */
  private static boolean isSize(int workers, int least, int most) {
    return workers == least || workers == most || Integer.bitCount(workers) == 1;
  }

  @Override
  public @Nullable String reason(View view, int job) {
    return reasons.text(job);
  }
}
