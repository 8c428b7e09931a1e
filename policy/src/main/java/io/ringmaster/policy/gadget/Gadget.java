package io.ringmaster.policy.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.slots.SlottedPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
  public static final Parameter SOLVER =
      Parameter.choice(
          "solver",
          "how a slot is decided: auto (greedy, and the LP where it may do better), greedy, lp",
          "auto",
          "greedy",
          "lp");
  public static final Parameter LP_JOBS =
      Parameter.whole(
          "lp-jobs", "for auto: with more jobs than this, greedy alone", 1000, 0, 1_000_000);
  public static final Parameter WEIGH =
      Parameter.number(
          "weigh",
          "how much of a restart's cost a plan counts before it moves a job; 0 as in the paper",
          1,
          0,
          1000);

  /** Between slots, no more waiting jobs than this are tried. */
  private static final int MOST_FILLED = 256;

  private final Objective objective;
  private final double weigh;
  private final GreatestSpeeds speeds;
  private final BestOfSolvers solver;
  private final Certificate certificate;

  /** Jobs by what their first workers are worth, the best first; as of the last slot. */
  private final List<Ranked> ranked = new ArrayList<>();

  /** Share of its work that a job had done when the slot began. */
  private double[] shareAtSlot = new double[0];

  private double endedGain;

  private record Ranked(int job, double density) {
    static final Comparator<Ranked> BEST_FIRST =
        Comparator.comparingDouble((Ranked r) -> -r.density()).thenComparingInt(Ranked::job);
  }

  public Gadget(Settings settings, Cluster cluster) {
    super(settings);
    this.objective = Objective.of(settings);
    this.weigh = settings.number(WEIGH.name());
    this.speeds = new GreatestSpeeds(cluster);
    this.solver =
        new BestOfSolvers(cluster, settings.text(SOLVER.name()), settings.whole(LP_JOBS.name()));
    this.certificate = new Certificate(objective.isMonotone());
  }

  @Override
  protected Map<Integer, Placement> share(View view, int[] jobs) {
    closeSlot(view, jobs);
    double seconds = slotEndSeconds() - view.nowSeconds();
    List<SlotJob> candidates = new ArrayList<>(jobs.length);
    for (int job : jobs) {
      candidates.add(candidate(view, job, seconds));
    }
    SlotProblem problem = new SlotProblem(view.cluster(), candidates);
    BestOfSolvers.Solved solved = solver.solve(problem, view.random());
    certificate.open(solved.plan().profit(), solved.bound(), solved.byLp());
    rank(problem);
    Map<Integer, Placement> plan = new HashMap<>();
    for (int i = 0; i < jobs.length; i++) {
      Placement placement = solved.plan().placements().get(i);
      if (placement != null) {
        plan.put(jobs[i], placement);
      }
    }
    return plan;
  }

  private void rank(SlotProblem problem) {
    ranked.clear();
    problem.jobs().forEach(this::addRanked);
    ranked.sort(Ranked.BEST_FIRST);
  }

  private void addRanked(SlotJob job) {
    ranked.add(new Ranked(job.id(), solver.density(job)));
  }

  @Override
  protected void fill(View view, Decisions decisions, int[] jobs) {
    double seconds = slotEndSeconds() - view.nowSeconds();
    for (int i = 0; i < view.arrived().size(); i++) {
      addRanked(candidate(view, view.arrived().get(i), seconds));
    }
    ranked.removeIf(r -> !view.waiting(r.job()));
    ranked.sort(Ranked.BEST_FIRST);
    List<SlotJob> candidates = new ArrayList<>();
    for (Ranked next : ranked) {
      if (candidates.size() < MOST_FILLED && view.minGpus(next.job()) <= view.free().total()) {
        candidates.add(candidate(view, next.job(), seconds));
      }
    }
    if (candidates.isEmpty()) {
      return;
    }
    ScratchServers free = new ScratchServers(view.cluster());
    for (int job : jobs) {
      if (view.running(job)) {
        free.take(view.placement(job), view.demand(job));
      }
    }
    SlotProblem problem = new SlotProblem(view.cluster(), candidates);
    SlotPlan plan = solver.fill(problem, free);
    for (int i = 0; i < candidates.size(); i++) {
      Placement placement = plan.placements().get(i);
      if (placement != null) {
        decisions.start(candidates.get(i).id(), placement);
      }
    }
  }

  /** What a job may gain in a time, by where it runs. */
  private SlotJob candidate(View view, int job, double seconds) {
    return new Prospect(objective, speeds, weigh, view, job, seconds).slotJob();
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
