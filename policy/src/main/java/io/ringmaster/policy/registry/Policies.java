package io.ringmaster.policy.registry;

import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.adasrsf.AdaSrsf;
import io.ringmaster.policy.asrpt.Asrpt;
import io.ringmaster.policy.batch.BatchPolicy;
import io.ringmaster.policy.classic.DominantShare;
import io.ringmaster.policy.classic.Easy;
import io.ringmaster.policy.classic.LeastAttained;
import io.ringmaster.policy.classic.QueuePolicy;
import io.ringmaster.policy.classic.ShortestRemaining;
import io.ringmaster.policy.doubling.Doubling;
import io.ringmaster.policy.gadget.Gadget;
import io.ringmaster.policy.maestro.Maestro;
import io.ringmaster.policy.ordered.OrderedPolicy;
import io.ringmaster.policy.slots.ElasticOrder;
import io.ringmaster.policy.slots.Optimus;
import java.util.List;

/** Every policy. A new one is a class that describes itself and a line here. */
public final class Policies {
  /** What runs where nobody chose: on a server, and in the demo. */
  public static final String DEFAULT = "maestro";

  private static final List<PolicySpec> ALL =
      List.of(
          QueuePolicy.FIFO,
          QueuePolicy.SJF,
          Easy.SPEC,
          ShortestRemaining.SRTF,
          ShortestRemaining.SRSF,
          LeastAttained.SPEC,
          DominantShare.SPEC,
          QueuePolicy.LONGEST_FIRST,
          AdaSrsf.SPEC,
          BatchPolicy.FIRST_FIT,
          BatchPolicy.LIST_SCHEDULING,
          BatchPolicy.RANDOM,
          BatchPolicy.SJF_BCO,
          Gadget.SPEC,
          ElasticOrder.FIFO,
          ElasticOrder.LEAST_ATTAINED,
          Optimus.SPEC,
          Doubling.SPEC,
          QueuePolicy.FIXED,
          Asrpt.SPEC,
          Maestro.SPEC,
          OrderedPolicy.SPJF,
          OrderedPolicy.SPWF,
          OrderedPolicy.WCS_DURATION,
          OrderedPolicy.WCS_WORKLOAD,
          OrderedPolicy.WCS_SUBTIME);

  private Policies() {}

  public static List<PolicySpec> all() {
    return ALL;
  }

  /** The policy of a name. */
  public static PolicySpec named(String name) {
    return Settings.Nearest.named(name, ALL, PolicySpec::name, "no policy is called '%s'");
  }
}
