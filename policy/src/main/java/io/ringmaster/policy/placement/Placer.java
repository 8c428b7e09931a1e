package io.ringmaster.policy.placement;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.PlacementRule;
import org.jspecify.annotations.Nullable;

/** Which free GPUs a job takes. */
public interface Placer {
  /** Servers for so many workers, or null if this rule finds none. */
  @Nullable Placement place(FreeServers free, int workers);

  /**
   * True if the rule takes any free GPUs, so that their number alone decides whether a job fits.
   */
  boolean countSuffices();

  /** The setting of every policy that does not choose its own servers. */
  Parameter PARAMETER =
      Parameter.choice(
          "placement",
          "which free GPUs a job takes: auto (consolidate where crossing servers costs time, else"
              + " pack), any (most-free servers first), consolidate (one server, or only wholly"
              + " free ones), pack (fewest servers, best fit), spread (most servers)",
          "auto",
          "any",
          "consolidate",
          "pack",
          "spread");

  /** As policies tell it that place by the setting. */
  static PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic) {
    Placer placer = of(settings, cluster);
    return new PlacementRule(
        cluster,
        placer.countSuffices()
            ? PlacementRule.ANYWHERE
            : (free, _, workers) -> placer.place(free, workers) != null,
        false);
  }

  /** The rule that settings name, for a cluster. */
  static Placer of(Settings settings, Cluster cluster) {
    String name = settings.text(PARAMETER.name());
    return switch (name) {
      case "auto" -> IterationTime.of(cluster).placesMatter() ? new Consolidate() : new Pack();
      case "any" -> new Any();
      case "consolidate" -> new Consolidate();
      case "pack" -> new Pack();
      case "spread" -> new Spread();
      default -> throw new IllegalArgumentException("placement " + name);
    };
  }
}
