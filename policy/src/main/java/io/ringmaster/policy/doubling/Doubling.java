package io.ringmaster.policy.doubling;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.slots.ActiveJobs;
import io.ringmaster.policy.slots.Allocation;
import io.ringmaster.policy.slots.Pinned;
import io.ringmaster.policy.slots.Plans;
import io.ringmaster.policy.slots.SlottedPolicy;
import io.ringmaster.policy.slots.Speeds;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The doubling heuristic: Capes, Raheja, Kemertas, Mohomed, "Dynamic Scheduling of MPI-based
 * Distributed Deep Learning Training Jobs", MLSys workshop at NeurIPS 2018 (arXiv 1908.08082), and
 * the authors' patent US 11,693,706. Every job has one worker; then, again and again, the job whose
 * remaining time falls most for each worker added has its workers doubled. A job whose number
 * changes is stopped and started again, with a learning rate in proportion.
 *
 * <p>Doubling jumps over numbers at which an all-reduce is slow: a ring that is extended by a
 * single worker may become slower where twice the workers are faster.
 *
 * <p>Departures, and what the sources leave open:
 *
 * <ul>
 *   <li>A job begins with the least power of two in its range, and ends at the greatest. A job with
 *       no power of two in its range has as many workers as it asks for.
 *   <li>By default it decides whenever a job comes or goes; the patent does so every ten minutes or
 *       every hour, which the setting {@code every} gives.
 *   <li>A change of a running job's number counts as so much longer as {@code hysteresis} restarts
 *       take. Without it jobs whose gains are close change places for nothing.
 *   <li>A doubling that does not fit is passed over; others may fit.
 *   <li>Speeds are known beforehand, from the cluster's model of iteration times, or found by
 *       {@link Exploration}: the settings' {@code mode}. A job that is still to try holds as many
 *       GPUs as it will try at most, and is not stopped meanwhile.
 *   <li>Speeds are those of the best place. When it comes to placing, jobs go from the largest to
 *       the smallest, and one has half its workers, or stays where it is, if that is faster in the
 *       places that are left. Jobs whose number does not change stay.
 * </ul>
 */
public final class Doubling implements Policy {
  public static final Parameter EVERY =
      Parameter.number("every", 0, 0, 1e9)
          .saying(
              "seconds between two times at which GPUs are given out; 0: whenever a job comes or"
                  + " goes");
  public static final Parameter HYSTERESIS =
      Parameter.number("hysteresis", 2, 0, 1e6)
          .saying("restarts that a change of a running job must at least save");

  public static final Parameter MODE =
      Parameter.choice("mode", "precomputed", "exploratory")
          .saying(
              "precomputed: speeds are known; exploratory: a new job tries 1, 2, 4 and 8 workers");
  public static final Parameter EXPLORE = Exploration.SECONDS;

  public static final PolicySpec SPEC =
      new PolicySpec(
          "doubling",
          "Workers doubled, again and again, for the job that saves the most time for each added.",
          "Capes, Raheja, Kemertas, Mohomed, MLSys at NeurIPS 2018 (arXiv 1908.08082)",
          List.of(MODE, EXPLORE, EVERY, HYSTERESIS, Estimate.PARAMETER),
          Pack::rule,
          Doubling::new);

  private final @Nullable Exploration exploration;
  private final double everySeconds;
  private final double changeSeconds;
  private final Placer placer;
  private final IterationTime time;
  private final Speeds speeds;
  private final Shares shares;
  private final ActiveJobs active = new ActiveJobs();
  private final Map<Integer, Facts> facts = new HashMap<>();
  private double nextSeconds = Double.NEGATIVE_INFINITY;

  public Doubling(Settings settings, Cluster cluster) {
    this.exploration =
        settings.text(MODE.name()).equals("exploratory")
            ? new Exploration(cluster, settings.number(EXPLORE.name()))
            : null;
    this.everySeconds = settings.number(EVERY.name());
    this.changeSeconds = settings.number(HYSTERESIS.name()) * cluster.restartSeconds();
    this.placer = new Pack(cluster);
    this.time = IterationTime.of(cluster);
    this.speeds = new Speeds(cluster);
    this.shares = new Shares(cluster);
  }

  /** What does not change while a job is there. */
  private record Facts(Demand demand, Sizes sizes, Belief belief) {}

  /** A job that doubles. */
  private record Candidate(
      Demand demand,
      Sizes sizes,
      Belief belief,
      double leftSeconds,
      @Nullable Placement present,
      double changeSeconds)
      implements Allocation.Candidate {

    @Override
    public int least() {
      return sizes.least();
    }

    @Override
    public int next(int workers) {
      return sizes.next(workers);
    }

    @Override
    public double seconds(int workers) {
      boolean changes = present != null && present.workers() != workers;
      return leftSeconds / belief.rate(workers) + (changes ? changeSeconds : 0);
    }

    double seconds(Placement placement) {
      boolean changes = present != null && !present.equals(placement);
      return leftSeconds / belief.rate(placement) + (changes ? changeSeconds : 0);
    }
  }

  @Override
  public void decide(View view, Decisions decisions) {
    active.update(view);
    view.arrived().forEach(job -> arrive(view, job));
    view.ended().forEach(this::end);
    if (exploration != null) {
      exploration.observe(view);
    }
    if (view.nowSeconds() >= nextSeconds) {
      giveOut(view, decisions);
    } else {
      goOnTrying(view, decisions);
    }
    if (active.isEmpty()) {
      return;
    }
    double wake = exploration == null ? Double.POSITIVE_INFINITY : exploration.nextSeconds();
    if (everySeconds > 0) {
      nextSeconds = everySeconds * (Math.floor(view.nowSeconds() / everySeconds + 1e-9) + 1);
      wake = Math.min(wake, nextSeconds);
    }
    if (wake < Double.POSITIVE_INFINITY) {
      decisions.wakeAt(wake);
    }
  }

  private void arrive(View view, int job) {
    Demand demand = view.demand(job);
    Speeds.Curve curve = speeds.of(view.profile(job), demand);
    Sizes sizes = Sizes.of(view, job, curve.mostWorkers());
    Belief belief =
        exploration == null
            ? new Known(curve, time, view.profile(job), view.gpus(job))
            : exploration.arrive(view, job, sizes);
    facts.put(job, new Facts(demand, sizes, belief));
  }

  private void end(int job) {
    facts.remove(job);
    if (exploration != null) {
      exploration.end(job);
    }
  }

  private Facts facts(int job) {
    return Objects.requireNonNull(facts.get(job), "a job that never arrived");
  }

  /** The numbers of workers that a job may have now. */
  private Sizes sizes(int job) {
    return exploration == null ? facts(job).sizes() : exploration.sizes(job);
  }

  /** Between two times at which GPUs are given out, trials go on with the GPUs held for them. */
  private void goOnTrying(View view, Decisions decisions) {
    if (exploration == null) {
      return;
    }
    for (int job : active.toArray()) {
      if (exploration.held(job) != null) {
        Placement trial = exploration.trial(job);
        if (!trial.equals(view.placement(job))) {
          decisions.resize(job, trial);
          note(view, decisions, job, trial);
        }
      }
    }
  }

  private void giveOut(View view, Decisions decisions) {
    Pinned pinned = new Pinned(view, active.toArray());
    Shares.Holding held = pinned.held(shares);
    ScratchServers free = pinned.free();
    int[] jobs = pinned.others();
    for (int job : jobs) {
      Placement trying = tryingOn(job);
      if (trying != null) {
        held.add(view.demand(job), trying.workers());
        free.take(trying, view.demand(job));
      }
    }
    int[] others = Arrays.stream(jobs).filter(job -> tryingOn(job) == null).toArray();
    List<Plans.Goal> goals = goals(view, others, held);
    Map<Integer, Placement> plan = Plans.of(view, goals, others, free, room(view));
    if (exploration != null) {
      beginTrials(view, exploration, others, plan);
      for (int job : jobs) {
        if (tryingOn(job) != null) {
          plan.put(job, exploration.trial(job));
        }
      }
    }
    int[] changing = Arrays.stream(jobs).filter(job -> changes(view, job, plan.get(job))).toArray();
    SlottedPolicy.carryOut(view, decisions, jobs, plan);
    for (int job : changing) {
      note(view, decisions, job, view.placement(job));
    }
  }

  /** The GPUs that are held for a job's trials; null if it does not try. */
  private @Nullable Placement tryingOn(int job) {
    return exploration == null ? null : exploration.held(job);
  }

  private static void beginTrials(
      View view, Exploration exploration, int[] jobs, Map<Integer, Placement> plan) {
    for (int job : jobs) {
      Placement placement = plan.get(job);
      if (placement != null && !exploration.explored(job)) {
        exploration.begin(view, job, placement);
      }
    }
  }

  private static boolean changes(View view, int job, @Nullable Placement next) {
    return next != null && !(view.running(job) && view.placement(job).equals(next));
  }

  /** A job starts anew: its learning rate follows its workers, and its speed is watched. */
  private void note(View view, Decisions decisions, int job, Placement placement) {
    decisions.scaleLearningRate(job, (double) placement.workers() / view.gpus(job));
    if (exploration != null) {
      exploration.started(view, job, placement);
    }
  }

  /** The jobs that are to run, from the largest to the smallest. */
  private List<Plans.Goal> goals(View view, int[] jobs, Shares.Holding held) {
    Allocation allocation = new Allocation(shares, held);
    IntList served = new IntList();
    for (int i = 0; i < jobs.length && held.gpusLeft() > 0; i++) {
      if (sizes(jobs[i]).least() <= held.gpusLeft() && allocation.add(candidate(view, jobs[i]))) {
        served.add(jobs[i]);
      }
    }
    int[] workers = allocation.grow();
    return IntStream.range(0, workers.length)
        .mapToObj(i -> new Plans.Goal(served.get(i), facts(served.get(i)).demand(), workers[i]))
        .sorted(Comparator.comparingInt(goal -> -goal.workers()))
        .toList();
  }

  private Candidate candidate(View view, int job) {
    Facts own = facts(job);
    return new Candidate(
        own.demand(),
        sizes(job),
        own.belief(),
        Math.max(0, view.estimateSeconds(job) - view.doneSeconds(job)),
        view.running(job) ? view.placement(job) : null,
        changeSeconds);
  }

  /** The place with the least remaining time among those for so many workers, half of them, ... */
  private Plans.Room room(View view) {
    return new Plans.Room() {
      @Override
      public @Nullable Placement find(FreeServers free, int job, Demand demand, int workers) {
        Candidate candidate = candidate(view, job);
        Placement best = null;
        for (int w = workers; w >= candidate.least(); w /= 2) {
          Placement place = placer.place(free, demand, w);
          best = better(candidate, best, place);
          if (place != null && !place.crossesServers()) {
            break;
          }
        }
        Placement present = candidate.present();
        boolean mayStay =
            present != null && present.workers() <= workers && free.holds(present, demand);
        return mayStay ? better(candidate, best, present) : best;
      }

      @Override
      public int least(View now, int job) {
        return sizes(job).least();
      }
    };
  }

  private static @Nullable Placement better(
      Candidate candidate, @Nullable Placement best, @Nullable Placement other) {
    if (best == null || other == null) {
      return best == null ? other : best;
    }
    return candidate.seconds(other) < candidate.seconds(best) ? other : best;
  }

  @Override
  public Map<String, Object> notes() {
    return exploration == null ? Map.of() : Map.of("explored_jobs", exploration.exploredJobs());
  }
}
