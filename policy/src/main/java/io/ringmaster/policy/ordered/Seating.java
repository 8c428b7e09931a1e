package io.ringmaster.policy.ordered;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.EvenShares;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.pipeline.Pipeline;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.PlacementBuilder;
import io.ringmaster.policy.placement.Placer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Which GPUs a job takes, and which of its replicas sits where. */
public abstract class Seating {
  /** The setting of policies for jobs with stages. */
  public static final Parameter PLACEMENT =
      Parameter.choice(
          "placement",
          "which free GPUs a job takes and which replicas sit where: heavy-edge (one server by best"
              + " fit, else the most-free ones; replicas with much to exchange together),"
              + " first-fit (both in order), random",
          "heavy-edge",
          "first-fit",
          "random");

  /** Servers for a job out of what is free, or null if there are none. */
  public abstract @Nullable Placement place(View view, FreeServers free, int job);

  /** The same GPUs, with the replicas of a pipeline where this rule puts them. */
  abstract Placement map(View view, int job, Placement placement);

  /** Whether Heavy-Edge is improved on. */
  public static final Parameter REFINE =
      Parameter.flag(
          "refine",
          "with placement=heavy-edge on a network of shares: replicas change places while that"
              + " makes an iteration shorter",
          false);

  /** The rule that the settings of policies for jobs with stages name. */
  public static Seating of(Settings settings, Cluster cluster) {
    String name = settings.text(PLACEMENT.name());
    boolean refine = settings.flag(REFINE.name()) && cluster.network().kind() == Network.Kind.SHARE;
    return switch (name) {
      case "heavy-edge" -> new HeavyEdge(refine ? new EvenShares(cluster) : null);
      case "first-fit" -> new InOrder();
      case "random" -> new AtRandom();
      default -> throw new IllegalArgumentException("placement " + name);
    };
  }

  /** The rule that the setting of the other policies names; where replicas sit is left open. */
  public static Seating byPlacer(Settings settings, Cluster cluster) {
    Placer placer = Placer.of(settings, cluster);
    return new Seating() {
      @Override
      public @Nullable Placement place(View view, FreeServers free, int job) {
        return placer.place(free, view.gpus(job));
      }

      @Override
      Placement map(View view, int job, Placement placement) {
        return placement;
      }
    };
  }

  private static @Nullable Pipeline pipeline(View view, int job) {
    ModelProfile profile = view.profile(job);
    return profile == null ? null : profile.pipeline();
  }

  /** A placement that leaves open where replicas sit has them by Heavy-Edge. */
  private static final class HeavyEdge extends Seating {
    private final PlacementBuilder builder = new PlacementBuilder();
    private final @Nullable EvenShares refining;

    HeavyEdge(@Nullable EvenShares refining) {
      this.refining = refining;
    }

    @Override
    public @Nullable Placement place(View view, FreeServers free, int job) {
      int left = view.gpus(job);
      if (left > free.total()) {
        return null;
      }
      int server = free.bestFit(left);
      if (server >= 0) {
        return Placement.on(server, left);
      }
      builder.clear();
      for (int s = free.freest(); left > 0; s = free.nextFreest(s)) {
        int taken = Math.min(left, free.gpus(s));
        builder.add(s, taken);
        left -= taken;
      }
      return map(view, job, builder.build());
    }

    @Override
    Placement map(View view, int job, Placement placement) {
      ModelProfile profile = view.profile(job);
      return refining == null || profile == null || profile.pipeline() == null
          ? placement
          : refining.refined(profile, placement);
    }
  }

  private static final class InOrder extends Seating {
    private final PlacementBuilder builder = new PlacementBuilder();

    @Override
    public @Nullable Placement place(View view, FreeServers free, int job) {
      int left = view.gpus(job);
      if (left > free.total()) {
        return null;
      }
      builder.clear();
      for (int s = free.firstWithRoom(0); left > 0; s = free.firstWithRoom(s + 1)) {
        int taken = Math.min(left, free.gpus(s));
        builder.add(s, taken);
        left -= taken;
      }
      return map(view, job, builder.build());
    }

    @Override
    Placement map(View view, int job, Placement placement) {
      Pipeline pipeline = pipeline(view, job);
      if (pipeline == null) {
        return placement;
      }
      return seated(pipeline, placement, stages(pipeline));
    }
  }

  private static final class AtRandom extends Seating {
    private final PlacementBuilder builder = new PlacementBuilder();

    @Override
    public @Nullable Placement place(View view, FreeServers free, int job) {
      int left = view.gpus(job);
      if (left > free.total()) {
        return null;
      }
      // Each free GPU in turn is taken with the chance that exactly enough are taken in the end.
      builder.clear();
      int open = free.total();
      for (int s = free.firstWithRoom(0); left > 0; s = free.firstWithRoom(s + 1)) {
        int taken = 0;
        for (int g = 0; g < free.gpus(s); g++, open--) {
          if (view.random().nextInt(open) < left) {
            taken++;
            left--;
          }
        }
        if (taken > 0) {
          builder.add(s, taken);
        }
      }
      return map(view, job, builder.build());
    }

    @Override
    Placement map(View view, int job, Placement placement) {
      Pipeline pipeline = pipeline(view, job);
      if (pipeline == null) {
        return placement;
      }
      int[] stageOf = stages(pipeline);
      shuffle(stageOf, view.random());
      return seated(pipeline, placement, stageOf);
    }

    private static void shuffle(int[] values, RandomGenerator random) {
      for (int i = values.length - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        int value = values[i];
        values[i] = values[other];
        values[other] = value;
      }
    }
  }

  /** The stage of each replica, in order. */
  private static int[] stages(Pipeline pipeline) {
    int[] stageOf = new int[pipeline.gpus()];
    int at = 0;
    for (int s = 0; s < pipeline.size(); s++) {
      Arrays.fill(stageOf, at, at + pipeline.stage(s).replicas(), s);
      at += pipeline.stage(s).replicas();
    }
    return stageOf;
  }

  /** Replicas, known by their stages, on the servers of a placement one after the other. */
  private static Placement seated(Pipeline pipeline, Placement placement, int[] stageOf) {
    int[] mapping = new int[placement.size() * pipeline.size()];
    int at = 0;
    for (int i = 0; i < placement.size(); i++) {
      for (int g = 0; g < placement.gpus(i); g++) {
        mapping[i * pipeline.size() + stageOf[at++]]++;
      }
    }
    return placement.mapped(mapping);
  }
}
