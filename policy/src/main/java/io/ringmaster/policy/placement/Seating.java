package io.ringmaster.policy.placement;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.EvenShares;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.pipeline.Pipeline;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which GPUs a job takes, and which of its replicas sits where. */
public final class Seating {
  /** The setting of policies for jobs with stages. */
  public static final Parameter PLACEMENT =
      Parameter.choice("placement", "heavy-edge", "first-fit", "random")
          .saying(
              "which free GPUs a job takes and which replicas sit where: heavy-edge (one server by"
                  + " best fit, else the most-free ones; replicas with much to exchange together),"
                  + " first-fit (both in order), random");

  /** Whether Heavy-Edge is improved on. */
  public static final Parameter REFINE =
      Parameter.flag("refine", false)
          .saying(
              "with placement=heavy-edge on a network of shares: replicas change places while that"
                  + " makes an iteration shorter");

  private final Function<View, Placer> servers;
  private final Replicas replicas;

  /** Where the replicas of a pipeline sit. */
  private interface Replicas {
    Placement on(View view, ModelProfile profile, Pipeline pipeline, Placement placement);

    /** Left open, which means by Heavy-Edge. */
    Replicas OPEN = (_, _, _, placement) -> placement;
  }

  private Seating(Function<View, Placer> servers, Replicas replicas) {
    this.servers = servers;
    this.replicas = replicas;
  }

  /** The rule that the settings of policies for jobs with stages name. */
  public static Seating of(Settings settings, Cluster cluster) {
    String name = settings.text(PLACEMENT.name());
    return switch (name) {
      case "heavy-edge" -> by(new Any(true), heavyEdge(settings, cluster));
      case "first-fit" -> by(new InOrder(), Seating::inOrder);
      case "random" -> new Seating(view -> new AtRandom(view.random()), Seating::shuffled);
      default -> throw new IllegalArgumentException("placement " + name);
    };
  }

  private static Seating by(Placer placer, Replicas replicas) {
    return new Seating(_ -> placer, replicas);
  }

  private static Replicas heavyEdge(Settings settings, Cluster cluster) {
    if (!settings.flag(REFINE.name()) || !IterationTime.of(cluster).knowsStages()) {
      return Replicas.OPEN;
    }
    EvenShares time = new EvenShares(cluster);
    return (_, profile, _, placement) ->
        placement.crossesServers() ? time.refined(profile, placement) : placement;
  }

  /** One server by best fit, else the most-free ones; where replicas sit is left to Heavy-Edge. */
  public static Seating heavyEdge() {
    return by(new Any(true), Replicas.OPEN);
  }

  /** The rule that the setting of the other policies names; where replicas sit is left open. */
  public static Seating byPlacer(Settings settings, Cluster cluster) {
    return by(Placer.of(settings, cluster), Replicas.OPEN);
  }

  /** Servers for a job out of what is free, or null if there are none. */
  public @Nullable Placement place(View view, FreeServers free, int job) {
    Placement placement = servers.apply(view).place(free, view.demand(job), view.gpus(job));
    return placement == null ? null : map(view, job, placement);
  }

  /** The same GPUs, with the replicas of a pipeline where this rule puts them. */
  public Placement map(View view, int job, Placement placement) {
    ModelProfile profile = view.profile(job);
    Pipeline pipeline = profile == null ? null : profile.pipeline();
    return profile == null || pipeline == null
        ? placement
        : replicas.on(view, profile, pipeline, placement);
  }

  private static Placement inOrder(
      View view, ModelProfile profile, Pipeline pipeline, Placement placement) {
    return seated(pipeline, placement, stages(pipeline));
  }

  private static Placement shuffled(
      View view, ModelProfile profile, Pipeline pipeline, Placement placement) {
    int[] stageOf = stages(pipeline);
    for (int i = stageOf.length - 1; i > 0; i--) {
      int other = view.random().nextInt(i + 1);
      int stage = stageOf[i];
      stageOf[i] = stageOf[other];
      stageOf[other] = stage;
    }
    return seated(pipeline, placement, stageOf);
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
