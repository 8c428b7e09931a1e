package io.ringmaster.policy.placement;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.View;
import org.jspecify.annotations.Nullable;

/** Which free GPUs a job takes. */
public interface Placer {
  /**
   * Servers for so many workers of a job that takes more than GPUs, or null if this rule finds
   * none. On an empty cluster it finds some for every job that the cluster holds.
   */
  @Nullable Placement place(FreeServers free, Demand demand, int workers);

  /**
   * Room for as many workers as there is, within a range; null if there is none for the least. What
   * holds some workers holds fewer, so the number is found by halving.
   */
  default @Nullable Placement most(FreeServers free, Demand demand, int least, int most) {
    int high = Math.min(most, free.total());
    if (high < least) {
      return null;
    }
    Placement best = place(free, demand, high);
    if (best != null || high == least) {
      return best;
    }
    best = place(free, demand, least);
    int low = least;
    while (best != null && high - low > 1) {
      int middle = (low + high) >>> 1;
      Placement placement = place(free, demand, middle);
      if (placement == null) {
        high = middle;
      } else {
        low = middle;
        best = placement;
      }
    }
    return best;
  }

  /** Shows at the beginning of a decision who runs where, for rules that look at neighbours. */
  default void see(View view) {}

  /** Of the places that are as good for a job as the one found, that beside the best neighbours. */
  default Placement suited(View view, int job, Placement found) {
    return found;
  }

  /**
   * True if the rule takes any free GPUs, so that their number alone decides whether a job fits
   * that takes nothing else.
   */
  default boolean countSuffices() {
    return true;
  }

  /** The setting of every policy that does not choose its own servers. */
  Parameter PARAMETER =
      Parameter.choice("placement", "auto", "any", "compatible", "consolidate", "pack", "spread")
          .saying(
              "which free GPUs a job takes: auto (consolidate where whole servers make rings"
                  + " faster, else pack), any (most-free servers first), compatible (as"
                  + " consolidate, beside rings with which it can best take turns), consolidate"
                  + " (one server, or only wholly free ones), pack (fewest servers, best fit),"
                  + " spread (most servers)");

  /** As policies tell it that place by the setting. */
  static PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic) {
    Placer placer = of(settings, cluster);
    return new PlacementRule(
        cluster,
        placer.countSuffices() && !cluster.limitsMoreThanGpus()
            ? PlacementRule.ANYWHERE
            : (free, demand, workers) -> placer.place(free, demand, workers) != null,
        false);
  }

  /** Where rings reserve a fixed bandwidth, whole servers gain nothing. */
  private static Placer automatic(Cluster cluster) {
    return IterationTime.of(cluster).placesMatter() && !cluster.network().reservesFixed()
        ? new Consolidate()
        : new Pack();
  }

  /** The rule that settings name, for a cluster. */
  static Placer of(Settings settings, Cluster cluster) {
    String name = settings.text(PARAMETER.name());
    return switch (name) {
      case "auto" -> automatic(cluster);
      case "any" -> new Any(false);
      case "compatible" -> new Compatible(cluster);
      case "consolidate" -> new Consolidate();
      case "pack" -> new Pack();
      case "spread" -> new Spread();
      default -> throw new IllegalArgumentException("placement " + name);
    };
  }
}
