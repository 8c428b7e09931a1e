package io.ringmaster.experiments.gadget;

import io.ringmaster.experiments.Variants;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.simulator.RunResult;
import java.util.List;
import java.util.Map;

/**
 * A policy in a setting.
 *
 * @param given the policy's settings
 * @param goals what it is valued by: all of them if it knows of none
 */
public record GadgetCell(
    GadgetSetting setting,
    String policy,
    boolean elastic,
    Map<String, String> given,
    List<Goal> goals) {

  public static final String GADGET = "gadget";
  static final String WEIGH = "weigh";

  /** As rows name it, valued by a goal. */
  Map<String, Object> named(Goal goal) {
    Map<String, Object> named = setting.named(goal);
    String weigh = given.get(WEIGH);
    if (weigh != null) {
      named.put(WEIGH, Integer.parseInt(weigh));
    }
    return named;
  }

  /** What the policy knows of lengths. */
  public KnownLengths lengths() {
    return Variants.run(policy, given, 0).lengths();
  }

  double utility(Outcome outcome, Goal goal) {
    return outcome.utilities().get(goals.indexOf(goal));
  }

  /**
   * What a run reached at the horizon.
   *
   * @param utilities by goal, in their order
   * @param completionSeconds from submission, mean over all jobs; one that is not finished counts
   *     up to the horizon
   * @param slots what the run proves of itself; all NaN unless the policy is GADGET
   */
  public record Outcome(
      List<Double> utilities, double finishedShare, double completionSeconds, SlotRatios slots) {}

  /**
   * How near slots came to their bounds.
   *
   * @param mean plan over bound, mean over the slots
   * @param worst the least of them
   * @param certified what part of the best schedule's utility the run proves to have
   * @param guarantee the same by the worst slot alone
   */
  public record SlotRatios(double mean, double worst, double certified, double guarantee) {
    static SlotRatios of(Map<String, Object> notes) {
      return new SlotRatios(
          number(notes, "slot_ratio_mean"),
          number(notes, "slot_ratio_worst"),
          number(notes, "certified_ratio"),
          number(notes, "guarantee"));
    }

    private static double number(Map<String, Object> notes, String name) {
      return notes.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
    }
  }

  /** Runs the case on one draw. Every schedule is validated. */
  public Outcome run(long seed) {
    GadgetWorkload draw = new GadgetWorkload(seed, setting);
    Cluster cluster = setting.cluster();
    Jobs jobs = elastic ? draw.elastic() : draw.fixed();
    RunResult result =
        ValidatedRun.of(cluster, jobs, Variants.run(policy, given, seed), setting.horizonSeconds());
    double[] work = draw.work();
    return new Outcome(
        goals.stream().map(goal -> goal.value(work, result::doneShare)).toList(),
        (double) result.finished() / jobs.size(),
        completionSeconds(jobs, result),
        SlotRatios.of(result.notes()));
  }

  private double completionSeconds(Jobs jobs, RunResult result) {
    double sum = 0;
    for (int job = 0; job < jobs.size(); job++) {
      double finish = result.finishSeconds(job);
      double end = Double.isNaN(finish) ? setting.horizonSeconds() : finish;
      sum += end - jobs.submitSeconds(job);
    }
    return sum / jobs.size();
  }
}
