package io.ringmaster.policy.doubling;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
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
import io.ringmaster.policy.doubling.DoublingJob.Facts;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.slots.ActiveJobs;
import io.ringmaster.policy.slots.Allocation;
import io.ringmaster.policy.slots.Pinned;
import io.ringmaster.policy.slots.SlottedPolicy;
import io.ringmaster.policy.slots.Speeds;
import io.ringmaster.policy.slots.WaitingJobs;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
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

  /** Those that run, and those that wait, by their least number of workers. */
  private final ActiveJobs running = new ActiveJobs();

  private final WaitingJobs waiting = new WaitingJobs();
  private @Nullable Facts[] facts = new Facts[0];
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

  @Override
  public void decide(View view, Decisions decisions) {
    for (int i = 0; i < view.arrived().size(); i++) {
      arrive(view, view.arrived().get(i));
    }
    for (int i = 0; i < view.ended().size(); i++) {
      end(view, view.ended().get(i));
    }
    if (exploration != null) {
      exploration.observe(view);
    }
    if (view.nowSeconds() >= nextSeconds) {
      giveOut(view, decisions);
    } else {
      goOnTrying(view, decisions);
    }
    if (running.isEmpty() && waiting.isEmpty()) {
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
    Speeds.Curve curve = speeds.of(view, job);
    Sizes sizes = Sizes.of(view, job, curve.mostWorkers());
    Belief belief =
        exploration == null
            ? new Known(curve, time, view.profile(job), view.gpus(job))
            : exploration.arrive(view, job, sizes);
    if (job >= facts.length) {
      facts = Arrays.copyOf(facts, Math.max(job + 1, facts.length + facts.length / 2));
    }
    facts[job] = new Facts(demand, sizes, belief);
    sort(view, job);
  }

  private void end(View view, int job) {
    running.remove(job);
    waiting.remove(view, job, sizes(job).least());
    facts[job] = null;
    if (exploration != null) {
      exploration.end(job);
    }
  }

  private Facts facts(int job) {
    return Objects.requireNonNull(facts[job], "a job that never arrived");
  }

  /** Puts a job among those that run, or those that wait. */
  private void sort(View view, int job) {
    int least = sizes(job).least();
    if (view.running(job)) {
      running.add(job);
      waiting.remove(view, job, least);
    } else {
      running.remove(job);
      waiting.put(view, job, least, 0);
    }
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
    for (int job : running.toArray()) {
      if (exploration.held(job) != null) {
        Placement trial = exploration.trial(job);
        if (!trial.equals(view.placement(job))) {
          decisions.resize(job, trial);
          note(view, decisions, job, trial);
        }
      }
    }
  }

  /**
   * Gives all GPUs out anew. Most jobs that run stay as they are: of those there is nothing to do,
   * and no more is looked at than who they are.
   */
  private void giveOut(View view, Decisions decisions) {
    Pinned pinned = new Pinned(view, running.toArray());
    Shares.Holding held = pinned.held(shares);
    ScratchServers free = new ScratchServers(view.free());
    for (int job : pinned.others()) {
      Placement trying = tryingOn(job);
      if (trying != null) {
        held.add(view.demand(job), trying.workers());
      }
    }
    Serving serving = serve(view, pinned.others(), held);
    for (int job : serving.leaving) {
      free.release(view.placement(job), view.demand(job));
    }
    holdTrials(view, pinned.others(), free);
    carryOut(view, decisions, pinned.others(), serving, place(view, serving, free));
  }

  /** GPUs that are held for trials are not free, though some of them are idle. */
  private void holdTrials(View view, int[] jobs, ScratchServers free) {
    for (int i = 0; exploration != null && i < jobs.length; i++) {
      Placement trying = tryingOn(jobs[i]);
      if (trying != null) {
        free.release(view.placement(jobs[i]), view.demand(jobs[i]));
        free.take(trying, view.demand(jobs[i]));
      }
    }
  }

  private void carryOut(
      View view, Decisions decisions, int[] ran, Serving serving, Map<Integer, Placement> plan) {
    if (exploration != null) {
      for (Map.Entry<Integer, Placement> entry : plan.entrySet()) {
        if (!exploration.explored(entry.getKey())) {
          exploration.begin(view, entry.getKey(), entry.getValue());
        }
      }
    }
    TreeSet<Integer> touched = new TreeSet<>(plan.keySet());
    touched.addAll(serving.leaving);
    if (exploration != null) {
      for (int job : ran) {
        if (tryingOn(job) != null) {
          touched.add(job);
        }
      }
      for (int job : touched) {
        if (tryingOn(job) != null) {
          plan.put(job, exploration.trial(job));
        }
      }
    }
    int[] jobs = touched.stream().mapToInt(job -> job).toArray();
    int[] changing = Arrays.stream(jobs).filter(job -> changes(view, job, plan.get(job))).toArray();
    SlottedPolicy.carryOut(view, decisions, jobs, plan);
    for (int job : changing) {
      note(view, decisions, job, view.placement(job));
    }
    waiting.close(view);
    for (int job : jobs) {
      sort(view, job);
    }
  }

  /** The GPUs that are held for a job's trials; null if it does not try. */
  private @Nullable Placement tryingOn(int job) {
    return exploration == null ? null : exploration.held(job);
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

  /**
   * In order of submission each job has its least number of workers, as long as there are GPUs;
   * then some have more.
   *
   * @param ran jobs that run, in order of submission; those that try are passed over
   */
  private Serving serve(View view, int[] ran, Shares.Holding held) {
    Serving serving = new Serving();
    Allocation<DoublingJob> growing = new Allocation<>(shares, held);
    waiting.open(view);
    int at = 0;
    int next = waiting.next(held.gpusLeft());
    while (at < ran.length || next >= 0) {
      boolean isRunning = next < 0 || (at < ran.length && ran[at] < next);
      int job = isRunning ? ran[at++] : next;
      if (isRunning && tryingOn(job) != null) {
        continue;
      }
      Sizes sizes = sizes(job);
      boolean served = serve(view, job, sizes, growing, held);
      if (!served && isRunning) {
        serving.leaving.add(job);
      } else if (!served) {
        waiting.refuse(sizes.least(), view.demand(job));
      } else if (!sizes.several()) {
        serving.add(view, job, isRunning, sizes.least());
      }
      if (!isRunning) {
        next = waiting.next(held.gpusLeft());
      }
    }
    growing.grow();
    for (int i = 0; i < growing.size(); i++) {
      DoublingJob grown = growing.job(i);
      serving.add(view, grown.job, grown.present != null, growing.workers(i));
    }
    serving.sort();
    return serving;
  }

  private boolean serve(
      View view, int job, Sizes sizes, Allocation<DoublingJob> growing, Shares.Holding held) {
    if (sizes.least() > held.gpusLeft()) {
      return false;
    }
    if (sizes.several()) {
      return growing.add(candidate(view, job));
    }
    Demand demand = facts(job).demand();
    boolean leaves = held.leaves(demand, sizes.least());
    if (leaves) {
      held.add(demand, sizes.least());
    }
    return leaves;
  }

  private DoublingJob candidate(View view, int job) {
    return new DoublingJob(view, job, facts(job), sizes(job), changeSeconds);
  }

  /**
   * Places those that do not stay. What they leave goes to other jobs, in order of submission:
   * those that run there stay, or else have their least number of workers.
   */
  private Map<Integer, Placement> place(View view, Serving serving, ScratchServers free) {
    Map<Integer, Placement> plan = new HashMap<>();
    for (Serving.Goal goal : serving.goals) {
      offer(goal.job(), find(view, free, goal.job(), goal.workers()), free, plan);
    }
    waiting.open(view);
    int next = waiting.next(free.total());
    Iterator<Integer> leaving = serving.leaving.iterator();
    int leaver = leaving.hasNext() ? leaving.next() : -1;
    while (free.total() > 0 && (leaver >= 0 || next >= 0)) {
      boolean isRunning = next < 0 || (leaver >= 0 && leaver < next);
      int job = isRunning ? leaver : next;
      Demand demand = facts(job).demand();
      int least = sizes(job).least();
      if (least <= free.total() && !plan.containsKey(job)) {
        boolean stays = isRunning && free.holds(view.placement(job), demand);
        Placement found = stays ? view.placement(job) : find(view, free, job, least);
        offer(job, found, free, plan);
        if (found == null) {
          waiting.refuse(least, demand);
        }
      }
      if (isRunning) {
        leaver = leaving.hasNext() ? leaving.next() : -1;
      } else {
        next = waiting.next(free.total());
      }
    }
    return plan;
  }

  private void offer(
      int job, @Nullable Placement found, ScratchServers free, Map<Integer, Placement> plan) {
    if (found != null) {
      free.take(found, facts(job).demand());
      plan.put(job, found);
    }
  }

  /** The place with the least remaining time among those for so many workers, half of them, ... */
  private @Nullable Placement find(View view, FreeServers free, int job, int workers) {
    DoublingJob candidate = candidate(view, job);
    Placement best = null;
    for (int w = workers; w >= candidate.least(); w /= 2) {
      Placement place = placer.place(free, candidate.demand(), w);
      best = better(candidate, best, place);
      if (place != null && !place.crossesServers()) {
        break;
      }
    }
    Placement present = candidate.present;
    boolean mayStay =
        present != null && present.workers() <= workers && free.holds(present, candidate.demand());
    return mayStay ? better(candidate, best, present) : best;
  }

  private static @Nullable Placement better(
      DoublingJob candidate, @Nullable Placement best, @Nullable Placement other) {
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
