package io.ringmaster.policy.gadget;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run can prove of itself. Let F be the utility that it reached and LP_t a bound of what any
 * choice could have gained in slot t, given what was done before t. The best schedule, knowing all
 * arrivals and moving jobs for nothing, reaches OPT &lt;= F + sum of LP_t: done on top of all that
 * this run did, its choice of slot t gains no more than it would on top of what was done before t,
 * since utilities are concave. So F / (F + sum of LP_t) is a proved part of the best. With Lambda
 * the greatest of LP_t / (what slot t gained), it is at least 1 / (1 + Lambda), the form of the
 * paper.
 */
final class Certificate {
  private final boolean proves;
  private final List<Double> lambdas = new ArrayList<>();
  private double utility;
  private double bounds;
  private double planRatios;
  private double worstPlanRatio = 1;
  private double greatestLambda = 1;
  private int byLp;

  /** A slot that is under way. */
  private double bound;

  private double planned;

  Certificate(boolean proves) {
    this.proves = proves;
  }

  /** A slot begins, with a plan that is worth so much, where none is worth more than the bound. */
  void open(double plannedProfit, double slotBound, boolean lp) {
    planned = plannedProfit;
    bound = slotBound;
    byLp += lp ? 1 : 0;
  }

  /** It ends, and so much was gained in it. */
  void close(double gained) {
    utility += gained;
    if (!(bound > 0)) {
      return;
    }
    bounds += bound;
    double ratio = Math.min(1, planned / bound);
    planRatios += ratio;
    worstPlanRatio = Math.min(worstPlanRatio, ratio);
    double lambda = gained > 0 ? bound / gained : Double.POSITIVE_INFINITY;
    greatestLambda = Math.max(greatestLambda, lambda);
    lambdas.add(lambda);
    bound = 0;
  }

  Map<String, Object> notes() {
    int slots = lambdas.size();
    Map<String, Object> notes = new LinkedHashMap<>();
    notes.put("slots", slots);
    notes.put("slots_with_lp", byLp);
    notes.put("utility", utility);
    notes.put("slot_ratio_mean", slots == 0 ? 1 : planRatios / slots);
    notes.put("slot_ratio_worst", worstPlanRatio);
    if (proves) {
      notes.put("lambda_greatest", finite(greatestLambda));
      notes.put("guarantee", 1 / (1 + greatestLambda));
      notes.put("certified_ratio", utility == 0 ? 1 : utility / (utility + bounds));
      notes.put("slot_lambdas", lambdas.stream().map(Certificate::rounded).toList());
    }
    return notes;
  }

  /** Four digits are enough to see which slots are to blame. */
  private static Object rounded(double lambda) {
    return finite(Double.isFinite(lambda) ? Math.round(lambda * 1e4) / 1e4 : lambda);
  }

  /** A slot that gained nothing, as when all restart, has no Lambda. */
  private static Object finite(double lambda) {
    return Double.isFinite(lambda) ? (Object) lambda : "unlimited";
  }
}
