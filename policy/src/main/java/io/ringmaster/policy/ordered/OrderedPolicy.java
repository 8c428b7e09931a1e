package io.ringmaster.policy.ordered;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Seating;
import java.util.List;

/**
 * Starts jobs in a fixed order and lets them run to their end, on GPUs that suit their stages. The
 * baselines of A-SRPT (Luo, Liu, Lee, Shroff, INFOCOM 2025): shortest predicted job or workload
 * first, where the first job that does not fit holds up the others, and work-conserving ones, where
 * it is passed over.
 */
public final class OrderedPolicy implements Policy {
  private final Order order;
  private final Starter.Rule rule;
  private final Starter starter;
  private final WaitingLine line = new WaitingLine();

  /** What orders jobs: the smaller, the earlier. */
  @FunctionalInterface
  private interface Order {
    double of(View view, int job);
  }

  private static final Order DURATION = View::estimateSeconds;
  private static final Order WORKLOAD = (view, job) -> view.gpus(job) * view.estimateSeconds(job);
  private static final Order SUBMISSION = (_, job) -> job;

  public static final PolicySpec SPJF =
      baseline(
          "spjf",
          "Shortest predicted job first; the first that does not fit holds up the others.",
          DURATION,
          Starter.Rule.STRICT);

  public static final PolicySpec SPWF =
      baseline(
          "spwf",
          "Least predicted GPU-time first; the first that does not fit holds up the others.",
          WORKLOAD,
          Starter.Rule.STRICT);

  public static final PolicySpec WCS_DURATION =
      baseline(
          "wcs-duration",
          "Work-conserving: everything that fits, shortest predicted job first.",
          DURATION,
          Starter.Rule.SKIP);

  public static final PolicySpec WCS_WORKLOAD =
      baseline(
          "wcs-workload",
          "Work-conserving: everything that fits, least predicted GPU-time first.",
          WORKLOAD,
          Starter.Rule.SKIP);

  public static final PolicySpec WCS_SUBTIME =
      baseline(
          "wcs-subtime",
          "Work-conserving: everything that fits, first come, first served.",
          SUBMISSION,
          Starter.Rule.SKIP);

  private OrderedPolicy(Order order, Starter.Rule rule, Starter starter) {
    this.order = order;
    this.rule = rule;
    this.starter = starter;
  }

  private static PolicySpec baseline(String name, String summary, Order order, Starter.Rule rule) {
    return new PolicySpec(
        name,
        summary,
        "baseline of A-SRPT, Luo et al., INFOCOM 2025",
        List.of(
            Seating.PLACEMENT, Seating.REFINE, Starter.RESERVE, Starter.THETA, Estimate.PARAMETER),
        OrderedPolicy::rule,
        settings -> !order.equals(SUBMISSION) || settings.flag(Starter.RESERVE.name()),
        (settings, cluster) ->
            new OrderedPolicy(
                order, rule, Starter.of(settings, cluster, Seating.of(settings, cluster))));
  }

  private static PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic) {
    boolean reserves = settings.flag(Starter.RESERVE.name());
    return new PlacementRule(cluster, PlacementRule.ANYWHERE, reserves);
  }

  /**
   * With reservations, where settings of other policies say the rest.
   *
   * @param by what a length is multiplied by to order jobs; 0: first come, first served
   */
  public static OrderedPolicy byLength(int by, Settings settings, Cluster cluster) {
    return new OrderedPolicy(
        by == 0 ? SUBMISSION : (view, job) -> by * view.estimateSeconds(job),
        settings.flag("blocking") ? Starter.Rule.STRICT : Starter.Rule.SKIP,
        Starter.of(settings, cluster, Seating.byPlacer(settings, cluster)));
  }

  @Override
  public void decide(View view, Decisions decisions) {
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      if (view.waiting(job)) {
        line.put(job, view.gpus(job), view.demand(job), order.of(view, job));
      }
    }
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      line.remove(job, view.gpus(job), view.demand(job));
    }
    if (starter.open(view)) {
      starter.serve(view, decisions, line, rule, Integer.MAX_VALUE);
    }
  }
}
