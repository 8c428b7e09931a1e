package io.ringmaster.policy.batch;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.FirstGpus;
import io.ringmaster.policy.placement.FragmentAwarePack;
import io.ringmaster.policy.placement.GpuRule;
import io.ringmaster.policy.placement.Gpus;
import io.ringmaster.policy.placement.LeastBusySpread;
import io.ringmaster.policy.placement.LeastPlannedGpus;
import io.ringmaster.policy.placement.RandomGpus;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * SJF-BCO and the baselines it is compared with: Yu, Ji, Rajan, Liu, "On Scheduling Ring-All-Reduce
 * Learning Jobs in Multi-Tenant GPU Clusters with Communication Contention", MobiHoc 2022 (arXiv
 * 2207.07817), sections 5 and 7. Smallest job first; the first that finds no GPUs holds up all
 * behind it; jobs run to their end. The policies differ in which GPUs a job takes.
 *
 * <p>A plan is no more than theta and kappa: what follows from them is decided job by job on the
 * GPUs that are idle, exactly as in the trial that chose them. So a plan stays good when a job ends
 * earlier or later than thought.
 *
 * <p>Departure: the paper plans one batch. Here a new plan is made for all that wait whenever a
 * certain share of the jobs that the last plan knew of, waiting or running, have come, and when its
 * theta leaves no GPU for the next job though nothing runs. In between, new jobs take their place
 * by size under the old plan. Running jobs are never moved; their remaining time counts as planned.
 */
public final class BatchPolicy implements Policy {
  public static final Parameter GPUS =
      Parameter.choice("gpus", "idle", "fixed")
          .saying(
              "whether a job takes GPUs that are idle when it starts, or is given its GPUs"
                  + " beforehand and waits for them");
  public static final Parameter HORIZON =
      Parameter.number("horizon", 0, 0, Double.MAX_VALUE)
          .saying("T: the greatest theta that is tried, in seconds; 0: as much as the jobs need");
  public static final Parameter KAPPA =
      Parameter.whole("kappa", 0, 0, Integer.MAX_VALUE)
          .saying(
              "jobs of up to so many GPUs are packed, larger ones spread; 0: the best is searched"
                  + " for");
  public static final Parameter LAMBDA =
      Parameter.number("lambda", 1, 1, 1e6)
          .saying("a job that is spread looks at servers with so many times its GPUs");
  public static final Parameter U =
      Parameter.number("u", 1, 1, 1e6)
          .saying("an estimate is at most so many times the truth; estimate / u is planned");
  public static final Parameter L =
      Parameter.number("l", 1, 1e-6, 1)
          .saying("an estimate is at least so many times the truth; for the ratio");

  public static final Parameter REPLAN =
      Parameter.number("replan", 0.25, 0, 1e6)
          .saying(
              "a new plan is made once so many times the jobs that the last plan knew of have"
                  + " come");

  public static final PolicySpec FIRST_FIT =
      baseline(
          "first-fit",
          "Smallest job first, on the first free GPUs.",
          List.of(GPUS, HORIZON, REPLAN, Estimate.PARAMETER),
          _ -> Rules.one(new FirstGpus()));

  public static final PolicySpec LIST_SCHEDULING =
      baseline(
          "list-scheduling",
          "Smallest job first, on the GPUs that were given the least work.",
          List.of(GPUS, HORIZON, REPLAN, Estimate.PARAMETER),
          _ -> Rules.one(new LeastPlannedGpus()));

  public static final PolicySpec RANDOM =
      baseline(
          "random",
          "Smallest job first, on random free GPUs.",
          List.of(GPUS),
          _ -> new Rules(view -> new RandomGpus(view.random()), null, false));

  public static final PolicySpec SJF_BCO =
      new PolicySpec(
          "sjf-bco",
          "Smallest job first, packed or spread by a plan that weighs contention.",
          "SJF-BCO, Yu, Ji, Rajan, Liu, MobiHoc 2022 (arXiv 2207.07817)",
          List.of(KAPPA, LAMBDA, GPUS, HORIZON, REPLAN, U, L, Estimate.PARAMETER),
          PlacementRule::ownSearch,
          (settings, cluster) -> new BatchPolicy(settings, cluster, packOrSpread(settings)));

  private static PolicySpec baseline(
      String name, String summary, List<Parameter> parameters, Function<Settings, Rules> rules) {
    return new PolicySpec(
        name,
        summary,
        "baseline of SJF-BCO, Yu et al., MobiHoc 2022",
        parameters,
        PlacementRule::ownSearch,
        (settings, cluster) -> new BatchPolicy(settings, cluster, rules.apply(settings)));
  }

  /**
   * Which GPUs jobs take.
   *
   * @param smallRule made once there are random numbers
   * @param large null: there is one rule for all
   * @param limited whether theta is searched for
   */
  private record Rules(
      Function<View, GpuRule> smallRule, @Nullable GpuRule large, boolean limited) {
    static Rules one(GpuRule rule) {
      return new Rules(_ -> rule, null, true);
    }
  }

  private final Rules rules;
  private final boolean fixed;
  private final int kappa;
  private final double horizon;
  private final double replan;
  private final double u;
  private final double l;
  private final Gpus gpus;
  private final IndexedHeap waiting = IndexedHeap.ascending();
  private final Map<Integer, int[]> held = new HashMap<>();
  private @Nullable GpuRule small;
  private Plan plan = Plan.infeasible(Double.POSITIVE_INFINITY);
  private int arrivals;
  private int plannedFor;
  private int plans;
  private double plannedEnd;
  private double ratio;

  /** Where GPUs are fixed: the batch of the plan, who claims what, and each job's place in it. */
  private @Nullable Batch batch;

  private @Nullable FixedGpus claims;
  private final Map<Integer, Integer> places = new HashMap<>();

  private BatchPolicy(Settings settings, Cluster cluster, Rules rules) {
    Map<String, String> given = settings.asMap();
    this.rules = rules;
    this.fixed = settings.text(GPUS.name()).equals("fixed");
    this.horizon = rules.limited() ? settings.number(HORIZON.name()) : 0;
    this.replan = rules.limited() ? settings.number(REPLAN.name()) : 0;
    this.kappa = given.containsKey(KAPPA.name()) ? settings.whole(KAPPA.name()) : 0;
    this.u = given.containsKey(U.name()) ? settings.number(U.name()) : 1;
    this.l = given.containsKey(L.name()) ? settings.number(L.name()) : 1;
    this.gpus = new Gpus(cluster);
  }

  private static Rules packOrSpread(Settings settings) {
    GpuRule spread = new LeastBusySpread(settings.number(LAMBDA.name()));
    return new Rules(_ -> new FragmentAwarePack(), spread, true);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    if (small == null) {
      small = rules.smallRule().apply(view);
    }
    view.ended().forEach(job -> end(view, job));
    view.arrived().forEach(job -> arrive(view, job));
    if (fixed) {
      startFixed(view, decisions);
    } else {
      startIdle(view, decisions);
    }
  }

  private void end(View view, int job) {
    waiting.remove(job);
    int[] freed = held.remove(job);
    Integer place = places.remove(job);
    if (freed != null) {
      gpus.release(freed, view.demand(job));
    }
    if (place != null && claims != null) {
      if (freed == null) {
        claims = null;
      } else {
        claims.end(place);
      }
    }
  }

  private void arrive(View view, int job) {
    if (view.waiting(job)) {
      waiting.put(job, view.gpus(job));
      arrivals++;
    } else if (view.running(job)) {
      hold(view, job, gpus.idleFor(view.placement(job)));
    }
  }

  private void hold(View view, int job, int[] chosen) {
    gpus.occupy(chosen, view.demand(job));
    held.put(job, chosen);
  }

  private void startIdle(View view, Decisions decisions) {
    if (rules.limited() && arrivals > 0 && arrivals >= replan * plannedFor) {
      plan(view);
    }
    while (!waiting.isEmpty() && view.gpus(waiting.peek()) <= gpus.idle()) {
      int job = waiting.peek();
      int[] chosen = new int[view.gpus(job)];
      double seconds = rules.limited() ? view.estimateSeconds(job) / u : 0;
      if (!rule(chosen.length)
          .choose(gpus, view.demand(job), seconds, plan.limitSeconds(), false, chosen)) {
        if (held.isEmpty()) {
          plan(view);
          continue;
        }
        return;
      }
      waiting.poll();
      gpus.plan(chosen, seconds);
      hold(view, job, chosen);
      decisions.start(job, gpus.placement(chosen));
    }
  }

  private GpuRule rule(int workers) {
    GpuRule large = rules.large();
    return large == null || workers <= plan.kappa() ? Objects.requireNonNull(small) : large;
  }

  private void startFixed(View view, Decisions decisions) {
    if (!waiting.isEmpty() && (arrivals > 0 || claims == null)) {
      plan(view);
      Batch planned = Objects.requireNonNull(batch);
      claims = Planner.claims(planned, demands(view, planned), gpus, plan.gpusOf());
      places.clear();
      for (int i = 0; i < planned.size(); i++) {
        places.put(planned.job(i), i);
      }
    }
    FixedGpus own = claims;
    if (own == null) {
      return;
    }
    for (int place = own.next(); place >= 0; place = own.next()) {
      int job = Objects.requireNonNull(batch).job(place);
      int[] chosen = plan.gpusOf()[place];
      own.start(place);
      waiting.remove(job);
      hold(view, job, chosen);
      decisions.start(job, gpus.placement(chosen));
    }
  }

  private void plan(View view) {
    arrivals = 0;
    Batch current = picture(view);
    plannedFor = current.size();
    batch = current;
    gpus.forgetPlans();
    for (int i = current.waiting(); i < current.size(); i++) {
      gpus.plan(current.gpus(i), current.plannedSeconds(i));
    }
    Planner planner =
        new Planner(
            current,
            demands(view, current),
            gpus,
            Objects.requireNonNull(small),
            rules.large(),
            fixed,
            kappa);
    plan = rules.limited() ? planner.search(horizon) : planner.unlimited();
    plannedEnd = Math.max(plannedEnd, plan.endSeconds());
    plans++;
    ratio = Math.max(ratio, mostWorkers(current) * current.greatestSlowdown() * u / l);
  }

  private static Demand[] demands(View view, Batch batch) {
    Demand[] demands = new Demand[batch.size()];
    Arrays.setAll(demands, i -> view.demand(batch.job(i)));
    return demands;
  }

  private Batch picture(View view) {
    int[] waitingJobs = waiting.inOrder();
    int[] runningJobs = held.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
    int[][] gpusOf = new int[runningJobs.length][];
    for (int i = 0; i < runningJobs.length; i++) {
      gpusOf[i] = Objects.requireNonNull(held.get(runningJobs[i]));
    }
    return new Batch(view, u, waitingJobs, runningJobs, gpusOf);
  }

  private static int mostWorkers(Batch batch) {
    int most = 1;
    for (int i = 0; i < batch.waiting(); i++) {
      most = Math.max(most, batch.workers(i));
    }
    return most;
  }

  @Override
  public Map<String, Object> notes() {
    if (!rules.limited()) {
      return Map.of();
    }
    Map<String, Object> notes = new LinkedHashMap<>();
    notes.put("plans", plans);
    notes.put(
        "theta_s", Double.isInfinite(plan.limitSeconds()) ? "unlimited" : plan.limitSeconds());
    notes.put("planned_end_s", plannedEnd);
    if (rules.large() != null) {
      notes.put("kappa", plan.kappa());
      notes.put("ratio", ratio);
    }
    return notes;
  }
}
