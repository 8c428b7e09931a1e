package io.ringmaster.policy.maestro;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.gadget.Gadget;
import io.ringmaster.policy.gadget.Objective;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.slots.SlottedPolicy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One policy that joins what GADGET, SJF-BCO, the doubling heuristic and A-SRPT do best. Which of
 * its parts is at work depends on the objective and on the jobs:
 *
 * <ul>
 *   <li>{@link Online}: jobs of fixed sizes, for completion times.
 *   <li>{@link Elastic}: if some may grow or shrink.
 *   <li>{@link BatchMode}: jobs of fixed sizes, for the makespan, or for makespan and mean.
 *   <li>{@link Gadget}: for utility, slot by slot, with restarts in the price.
 * </ul>
 */
public final class Maestro implements Policy {
  private static final Parameter OBJECTIVE =
      Parameter.choice("objective", "jct", "makespan", "mixed", "utility")
          .saying(
              "what counts: jct (mean completion), makespan (the end of the last job), mixed"
                  + " (both), utility (as gadget's)");
  private static final Parameter MIX =
      Parameter.number("mix", 0.5, 0, 1).saying("objective mixed: the share of the makespan");
  private static final Parameter SEARCH =
      Parameter.whole("search", 5000, 0, 10_000_000)
          .saying("objectives makespan and mixed: orders that are tried on the model");
  private static final Parameter PATIENCE =
      Parameter.number("patience", 168, 0, 1e9)
          .saying("hours that a job waits in all before it goes ahead of all that came later");
  public static final PolicySpec SPEC = spec(Rules.USUAL);

  /** The policy with other rules, for experiments that ask what each is worth. */
  public static PolicySpec spec(Rules rules) {
    return new PolicySpec(
        "maestro",
        "Least predicted work first, on few servers; waits, scatters or stops others, whichever"
            + " costs the least; elastic jobs grow where it helps the most.",
        "this project: what GADGET, SJF-BCO, doubling and A-SRPT do best, joined",
        List.of(
            OBJECTIVE,
            MIX,
            SEARCH,
            PATIENCE,
            Objective.UTILITY,
            Objective.WEIGHT,
            Objective.KAPPA,
            Objective.ALPHA,
            Objective.CURVE,
            Objective.PRICE,
            SlottedPolicy.SLOT,
            Estimate.PARAMETER),
        Maestro::rule,
        (settings, cluster) -> new Maestro(rules, settings, cluster));
  }

  private static final double HOUR_SECONDS = 3600;

  private final Rules rules;
  private final Settings settings;
  private final Cluster cluster;
  private @Nullable Policy chosen;

  private Maestro(Rules rules, Settings settings, Cluster cluster) {
    this.rules = rules.withPatience(settings.number(PATIENCE.name()) * HOUR_SECONDS);
    this.settings = settings;
    this.cluster = cluster;
  }

  /** Online and in batches it weighs places; what gives out the whole cluster packs. */
  private static PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic) {
    return anyElastic || settings.text(OBJECTIVE.name()).equals("utility")
        ? Pack.rule(settings, cluster, anyElastic)
        : PlacementRule.ownSearch(settings, cluster, anyElastic);
  }

  private Policy choose(boolean elastic) {
    String objective = settings.text(OBJECTIVE.name());
    boolean known = settings.text(Estimate.PARAMETER.name()).equals("perfect");
    int trials = known && rules.has(Rules.Rule.SEARCH) ? settings.whole(SEARCH.name()) : 0;
    if (objective.equals("utility")) {
      return Gadget.pursuing(settings, cluster);
    }
    if (elastic) {
      return new Elastic(rules, cluster, objective.equals("makespan"));
    }
    return switch (objective) {
      case "makespan" -> new BatchMode(rules, 1, trials);
      case "mixed" -> new BatchMode(rules, settings.number(MIX.name()), trials);
      default -> new Online(rules, cluster, known);
    };
  }

  @Override
  public void decide(View view, Decisions decisions) {
    Policy part = chosen;
    if (part == null) {
      part = choose(view.anyElastic());
      chosen = part;
    }
    part.decide(view, decisions);
  }

  @Override
  public @Nullable String reason(View view, int job) {
    return chosen == null ? null : chosen.reason(view, job);
  }

  @Override
  public Map<String, Object> notes() {
    return chosen == null ? Map.of() : chosen.notes();
  }
}
