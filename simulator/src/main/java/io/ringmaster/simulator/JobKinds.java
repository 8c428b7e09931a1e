package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.KindSpeeds;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Where;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What each job is on each kind of GPU that it may use: what it takes there, and how fast it is. A
 * job is on one kind at a time, unless it may mix them; then it is as fast as on the slowest.
 *
 * <p>A faster GPU computes faster and exchanges as before. Where nothing but whole iterations is
 * known, of a job without a model or on a network where nothing costs time, these are faster.
 */
final class JobKinds {
  /** Where a job's servers need not be of one kind. */
  static final int MIXED = -1;

  private final Cluster cluster;
  private final List<String> kinds;
  private final int[] kindOf;
  private final int[] shapeOf;
  private final List<List<On>> shapes = new ArrayList<>();

  /**
   * A job on a kind of GPU.
   *
   * @param kind index into the cluster's kinds, or {@link #MIXED}
   * @param demand what it takes, on servers of this kind alone
   * @param profile what it trains, as fast as it is here
   * @param speed of computing
   * @param iterationSeconds alone on the fewest servers of this kind
   * @param plainSeconds the same at a speed of 1
   * @param silent whether iterations take a second wherever they are, as far as models know
   */
  record On(
      int kind,
      Demand demand,
      @Nullable ModelProfile profile,
      double speed,
      double iterationSeconds,
      double plainSeconds,
      boolean silent) {}

  /** Jobs that are alike. */
  private record Shape(int gpus, int model, KindSpeeds speeds, Demand asked) {}

  JobKinds(Jobs jobs, Cluster given) {
    cluster = given.counting(jobs);
    kinds = cluster.kinds();
    kindOf = cluster.servers().stream().mapToInt(s -> kinds.indexOf(s.gpu())).toArray();
    shapeOf = new int[jobs.size()];
    IterationTime time = IterationTime.of(cluster);
    Map<Shape, Integer> known = new HashMap<>();
    for (int job = 0; job < shapeOf.length; job++) {
      Shape shape = new Shape(jobs.gpus(job), jobs.model(job), jobs.speeds(job), jobs.demand(job));
      Integer index = known.get(shape);
      if (index == null) {
        index = shapes.size();
        known.put(shape, index);
        shapes.add(options(jobs, job, shape, time));
      }
      shapeOf[job] = index;
    }
  }

  /** The fastest first; of equal ones, as in the cluster. */
  private List<On> options(Jobs jobs, int job, Shape shape, IterationTime time) {
    ModelProfile profile = jobs.profile(job);
    Where where = shape.asked.where();
    Demand whole = cluster.demand(shape.asked, profile);
    List<On> options = new ArrayList<>();
    if (where.mixes() && where.kinds().size() != 1) {
      double slowest =
          kinds.stream().filter(where::allows).mapToDouble(shape.speeds::of).min().orElse(1);
      options.add(on(MIXED, whole, profile, slowest, shape.gpus, time));
      return options;
    }
    for (int kind = 0; kind < kinds.size(); kind++) {
      String name = kinds.get(kind);
      Demand here = cluster.limitsMoreThanGpus() ? whole.on(where.only(name)) : whole;
      if (where.allows(name) && shape.gpus <= cluster.mostWorkers(here)) {
        options.add(on(kind, here, profile, shape.speeds.of(name), shape.gpus, time));
      }
    }
    if (options.isEmpty()) {
      throw new IllegalArgumentException(
          "job %s: no kind of GPU that it may use has %d on %s"
              .formatted(jobs.id(job), shape.gpus, cluster.name()));
    }
    options.sort((a, b) -> Double.compare(a.iterationSeconds, b.iterationSeconds));
    return List.copyOf(options);
  }

  private On on(
      int kind,
      Demand demand,
      @Nullable ModelProfile profile,
      double speed,
      int gpus,
      IterationTime time) {
    if (profile == null || !time.placesMatter()) {
      return new On(kind, demand, profile, speed, 1 / speed, 1, true);
    }
    Placement place = cluster.idealPlacement(gpus, demand);
    ModelProfile here = profile.at(speed);
    double seconds = time.seconds(here, place, 1);
    return new On(kind, demand, here, speed, seconds, time.seconds(profile, place, 1), false);
  }

  List<String> kinds() {
    return kinds;
  }

  /** The kind of a server. */
  int kindOf(int server) {
    return kindOf[server];
  }

  /** What a job may be on, the fastest first. */
  List<On> options(int job) {
    return shapes.get(shapeOf[job]);
  }

  /** The fastest. */
  On best(int job) {
    return options(job).getFirst();
  }

  /** What a job is on a placement; null if its kinds of GPU do not allow that. */
  @Nullable On at(int job, Placement placement) {
    int kind = kindOf[placement.server(0)];
    for (int i = 1; i < placement.size(); i++) {
      kind = kindOf[placement.server(i)] == kind ? kind : MIXED;
    }
    for (On option : options(job)) {
      if (option.kind == kind || option.kind == MIXED) {
        return option;
      }
    }
    return null;
  }

  /** What is wrong with the kinds of GPU that a job has on a placement; null if nothing is. */
  @Nullable String fault(Jobs jobs, int job, Placement placement) {
    Where where = jobs.demand(job).where();
    Set<String> used = new TreeSet<>();
    for (int i = 0; i < placement.size(); i++) {
      used.add(kinds.get(kindOf[placement.server(i)]));
    }
    boolean mixed = !where.mixes() && used.size() > 1;
    String all = String.join(" and ", used);
    used.removeIf(where::allows);
    if (!used.isEmpty()) {
      return "may use GPUs of %s, and has %s".formatted(where.text(), String.join(" and ", used));
    }
    return mixed ? "may not mix kinds of GPU, and has " + all : null;
  }

  /**
   * Ideal seconds of an iteration, in the measure in which a model of times tells how long one
   * takes on a kind.
   */
  double idealSeconds(int job, On on) {
    double best = best(job).iterationSeconds;
    return on.silent ? best * on.speed : best;
  }

  /** How many times as long as ideal a job takes there. */
  double slowdown(int job, On on) {
    return on.iterationSeconds / best(job).iterationSeconds;
  }
}
