package io.ringmaster.policy.ordered;

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
import io.ringmaster.policy.placement.PlacementBuilder;
import io.ringmaster.policy.placement.Placer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which GPUs a job takes, and which of its replicas sits where. */
public final class Seating {
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

  /** Whether Heavy-Edge is improved on. */
  public static final Parameter REFINE =
      Parameter.flag(
          "refine",
          "with placement=heavy-edge on a network of shares: replicas change places while that"
              + " makes an iteration shorter",
          false);

  private final Gpus gpus;
  private final Replicas replicas;

  /** Which free GPUs a job takes; there are enough. Null if the rule wants others. */
  private interface Gpus {
    @Nullable Placement of(View view, FreeServers free, int count);
  }

  /** Where the replicas of a pipeline sit. */
  private interface Replicas {
    Placement on(View view, ModelProfile profile, Pipeline pipeline, Placement placement);

    /** Left open, which means by Heavy-Edge. */
    Replicas OPEN = (_, _, _, placement) -> placement;
  }

  private Seating(Gpus gpus, Replicas replicas) {
    this.gpus = gpus;
    this.replicas = replicas;
  }

  /** The rule that the settings of policies for jobs with stages name. */
  public static Seating of(Settings settings, Cluster cluster) {
    String name = settings.text(PLACEMENT.name());
    return switch (name) {
      case "heavy-edge" -> new Seating(Seating::bestFitOrFreest, heavyEdge(settings, cluster));
      case "first-fit" -> new Seating(Seating::firstFree, Seating::inOrder);
      case "random" -> new Seating(Seating::anyFree, Seating::shuffled);
      default -> throw new IllegalArgumentException("placement " + name);
    };
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
    return new Seating(Seating::bestFitOrFreest, Replicas.OPEN);
  }

  /** The rule that the setting of the other policies names; where replicas sit is left open. */
  public static Seating byPlacer(Settings settings, Cluster cluster) {
    Placer placer = Placer.of(settings, cluster);
    return new Seating((_, free, count) -> placer.place(free, count), Replicas.OPEN);
  }

  /** Servers for a job out of what is free, or null if there are none. */
  public @Nullable Placement place(View view, FreeServers free, int job) {
    int count = view.gpus(job);
    Placement placement = count > free.total() ? null : gpus.of(view, free, count);
    return placement == null ? null : map(view, job, placement);
  }

  /** The same GPUs, with the replicas of a pipeline where this rule puts them. */
  Placement map(View view, int job, Placement placement) {
    ModelProfile profile = view.profile(job);
    Pipeline pipeline = profile == null ? null : profile.pipeline();
    return profile == null || pipeline == null
        ? placement
        : replicas.on(view, profile, pipeline, placement);
  }

  private static Placement bestFitOrFreest(View view, FreeServers free, int count) {
    int server = free.bestFit(count);
    if (server >= 0) {
      return Placement.on(server, count);
    }
    PlacementBuilder builder = new PlacementBuilder();
    int left = count;
    for (int s = free.freest(); left > 0; s = free.nextFreest(s)) {
      left -= taken(builder, s, Math.min(left, free.gpus(s)));
    }
    return builder.build();
  }

  private static Placement firstFree(View view, FreeServers free, int count) {
    PlacementBuilder builder = new PlacementBuilder();
    int left = count;
    for (int s = free.firstWithRoom(0); left > 0; s = free.firstWithRoom(s + 1)) {
      left -= taken(builder, s, Math.min(left, free.gpus(s)));
    }
    return builder.build();
  }

  /** Each free GPU in turn is taken with the chance that exactly enough are taken in the end. */
  private static Placement anyFree(View view, FreeServers free, int count) {
    PlacementBuilder builder = new PlacementBuilder();
    int left = count;
    int open = free.total();
    for (int s = free.firstWithRoom(0); left > 0; s = free.firstWithRoom(s + 1)) {
      int chosen = 0;
      for (int g = 0; g < free.gpus(s); g++, open--) {
        chosen += view.random().nextInt(open) < left - chosen ? 1 : 0;
      }
      left -= taken(builder, s, chosen);
    }
    return builder.build();
  }

  private static int taken(PlacementBuilder builder, int server, int count) {
    if (count > 0) {
      builder.add(server, count);
    }
    return count;
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
