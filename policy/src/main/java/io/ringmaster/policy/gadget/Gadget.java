package io.ringmaster.policy.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.slots.Pinned;
import io.ringmaster.policy.slots.SlottedPolicy;
import io.ringmaster.policy.slots.WaitingJobs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * GADGET: Yu, Tian, Ji, Wu, Rajan, Liu, "GADGET: Online Resource Optimization for Scheduling
 * Ring-All-Reduce Learning Jobs", INFOCOM 2022 (arXiv 2202.01158). In every slot jobs get as many
 * workers, and their rings such a place in the network, that the utility of progress grows the
 * most.
 *
 * <p>The full text was not to hand. From the abstract and from the authors' later paper: time in
 * slots, online arrivals, elastic jobs, reserved bandwidth, utilities for several objectives, a
 * guarantee. Slot by slot greedy with a one-slot solver that reaches 1 / Lambda of the best keeps 1
 * / (1 + Lambda) of the best schedule; {@link Certificate} has the proof, and what a run proves of
 * itself.
 *
 * <p>Departures. The last proof needs slots that do not depend on each other, so moves for nothing;
 * here a move costs what the cluster says, and {@link #WEIGH} makes the plan count it. Between two
 * slots, what comes free goes to jobs that wait. An energy price is charged for the time that a job
 * runs, and never so high that no number of workers is worth it: a job that is not worth its energy
 * runs last, not never.
 */
public final class Gadget extends SlottedPolicy {
  private static final int DEFAULT_LP_JOBS = 1000;

  public static final Parameter SOLVER =
      Parameter.choice("solver", "auto", "greedy", "lp")
          .saying(
              "how a slot is decided: auto (greedy, and the LP where it may do better), greedy,"
                  + " lp");
  public static final Parameter LP_JOBS =
      Parameter.whole("lp-jobs", DEFAULT_LP_JOBS, 0, 1_000_000)
          .saying("for auto: with more jobs than this, greedy alone");
  public static final Parameter WEIGH =
      Parameter.number("weigh", 1, 0, 1000)
          .saying(
              "how much of a restart's cost a plan counts before it moves a job; 0 as in the"
                  + " paper");

  public static final PolicySpec SPEC =
      new PolicySpec(
          "gadget",
          "In every slot, workers and rings such that the utility of progress grows the most.",
          "GADGET, Yu, Tian, Ji, Wu, Rajan, Liu, INFOCOM 2022 (arXiv 2202.01158)",
          List.of(
              Objective.UTILITY,
              Objective.WEIGHT,
              Objective.KAPPA,
              Objective.ALPHA,
              Objective.CURVE,
              Objective.PRICE,
              SLOT,
              SOLVER,
              LP_JOBS,
              WEIGH,
              Estimate.PARAMETER),
          Pack::rule,
          Gadget::new);

  /** Between slots, so many waiting jobs are tried for each GPU that is free, the best first. */
  private static final int TRIED_FOR_EACH_GPU = 4;

  private static final int FEWEST_TRIED = 32;

  private static final double MOMENT_SECONDS = 1e-3;

  private final Objective objective;
  private final double weigh;
  private final GreatestSpeeds speeds;
  private final BestOfSolvers solver;
  private final Placer placer;
  private final Certificate certificate;

  /** What the first workers of each job are worth, as of the last slot or of its arrival. */
  private double[] density = new double[0];

  /** Of what that was reckoned: a job's length and what was done of it; NaN at first. */
  private double[] densityEstimate = new double[0];

  private double[] densityDone = new double[0];

  /** Share of its work that a job had done when the slot began. */
  private double[] shareAtSlot = new double[0];

  private double endedGain;

  public Gadget(Settings settings, Cluster cluster) {
    this(
        settings,
        cluster,
        settings.text(SOLVER.name()),
        settings.whole(LP_JOBS.name()),
        settings.number(WEIGH.name()));
  }

  private Gadget(Settings settings, Cluster cluster, String solver, int lpJobs, double weigh) {
    super(settings);
    this.objective = Objective.of(settings);
    this.weigh = weigh;
    this.speeds = new GreatestSpeeds(cluster);
    this.solver = new BestOfSolvers(cluster, solver, lpJobs);
    this.placer = new Pack(cluster);
    this.certificate = new Certificate(objective.isMonotone());
  }

  /** For an objective alone, with all else as by default. */
  public static Gadget pursuing(Settings objective, Cluster cluster) {
    return new Gadget(objective, cluster, "auto", DEFAULT_LP_JOBS, 1);
  }

  @Override
  protected Map<Integer, Placement> share(View view, int[] all, Pinned pinned) {
    closeSlot(view, all);
    int[] jobs = pinned.others();
    List<SlotJob> candidates = new ArrayList<>(jobs.length);
    for (int job : jobs) {
      candidates.add(inSlot(view, job));
    }
    SlotProblem problem = new SlotProblem(view.cluster(), candidates, pinned.free());
    BestOfSolvers.Solved solved = solver.solve(problem, view.random());
    openSlot(view, pinned, solved);
    Map<Integer, Placement> plan = new HashMap<>();
    for (int i = 0; i < jobs.length; i++) {
      Placement placement = solved.plan().placements().get(i);
      if (placement != null) {
        plan.put(jobs[i], placement);
      } else {
        rank(view, jobs[i]);
      }
    }
    return plan;
  }

  /** No plan gains more than the others could in the whole cluster, and each pinned job at best. */
  private void openSlot(View view, Pinned pinned, BestOfSolvers.Solved solved) {
    double planned = solved.plan().profit();
    double bound = solved.bound();
    for (int job : pinned.jobs()) {
      SlotJob stays = inSlot(view, job);
      planned += stays.profit(view.placement(job));
      bound +=
          IntStream.rangeClosed(stays.minWorkers(), stays.maxWorkers())
              .mapToDouble(stays::most)
              .reduce(0, Math::max);
    }
    certificate.open(planned, bound, solved.byLp());
  }

  @Override
  protected void onArrive(View view, int job) {
    rank(view, job);
  }

  /** Nothing else of a job that waits changes what its first workers are worth. */
  private void rank(View view, int job) {
    if (job >= density.length) {
      int before = density.length;
      density = Grow.ensure(density, job + 1);
      densityEstimate = Arrays.copyOf(densityEstimate, density.length);
      densityDone = Arrays.copyOf(densityDone, density.length);
      Arrays.fill(densityEstimate, before, density.length, Double.NaN);
    }
    double estimate = view.estimateSeconds(job);
    double done = view.doneSeconds(job);
    if (estimate != densityEstimate[job] || done != densityDone[job]) {
      densityEstimate[job] = estimate;
      densityDone[job] = done;
      density[job] = solver.density(atOnce(view, job));
    }
  }

  @Override
  protected double waitingKey(View view, int job) {
    return -density[job];
  }

  @Override
  protected void fill(View view, Decisions decisions, WaitingJobs queue) {
    List<SlotJob> candidates = candidates(view, queue);
    if (candidates.isEmpty()) {
      return;
    }
    SlotPlan plan = solver.fill(new SlotProblem(view.cluster(), candidates, view.free()));
    for (int i = 0; i < candidates.size(); i++) {
      Placement placement = plan.placements().get(i);
      if (placement != null) {
        decisions.start(candidates.get(i).id(), placement);
      }
    }
  }

  /** The best of the jobs that wait for which there is room. */
  private List<SlotJob> candidates(View view, WaitingJobs queue) {
    List<SlotJob> candidates = new ArrayList<>();
    // Where so many workers have room, fewer have.
    Map<Demand, Integer> room = new HashMap<>();
    int most = Math.max(FEWEST_TRIED, TRIED_FOR_EACH_GPU * view.free().total());
    while (candidates.size() < most) {
      int job = queue.next(view.free().total());
      if (job < 0) {
        break;
      }
      int least = view.minGpus(job);
      Demand demand = view.demand(job);
      boolean known = least <= room.getOrDefault(demand, 0);
      if (known || placer.place(view.free(), demand, least) != null) {
        candidates.add(atOnce(view, job));
        if (!known) {
          room.put(demand, least);
        }
      } else {
        queue.refuse(least, demand);
      }
    }
    return candidates;
  }

  /** What a job may gain in a slot, by where it runs. */
  private SlotJob inSlot(View view, int job) {
    double seconds = slotEndSeconds() - view.nowSeconds();
    return new Prospect(objective, speeds, weigh, view, job, seconds).slotJob();
  }

  /**
   * What it gains in a moment. Between slots that is what counts: GPUs that a short job leaves are
   * given out again at once.
   */
  private SlotJob atOnce(View view, int job) {
    return new Prospect(objective, speeds, 0, view, job, MOMENT_SECONDS).slotJob();
  }

  private double shareAtSlot(int job) {
    return job < shareAtSlot.length ? shareAtSlot[job] : 0;
  }

  @Override
  protected void onEnd(View view, int job) {
    endedGain += objective.gain(speeds.workGpuSeconds(view, job), shareAtSlot(job), 1);
  }

  @Override
  protected void onIdle() {
    certificate.close(endedGain);
    endedGain = 0;
  }

  private void closeSlot(View view, int[] jobs) {
    double gained = endedGain;
    endedGain = 0;
    for (int job : jobs) {
      double share = Prospect.share(view, job);
      gained +=
          objective.gain(
              speeds.workGpuSeconds(view, job), Math.min(share, shareAtSlot(job)), share);
      shareAtSlot = Grow.ensure(shareAtSlot, job + 1);
      shareAtSlot[job] = share;
    }
    certificate.close(gained);
  }

  @Override
  public Map<String, Object> notes() {
    return certificate.notes();
  }
}
