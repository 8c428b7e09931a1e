package io.ringmaster.policy.slots;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.placement.Placer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in an order, each as large as makes it fastest: first come first served, and least attained
 * service first (the order of Tiresias, Gu et al., NSDI 2019, without queues), for elastic jobs.
 * Baselines that tell what being elastic is worth from what a better plan is worth.
 *
 * <p>Speed is workers over the time of an iteration without neighbours, and not every worker adds
 * to it. On one server it rises with the workers, and so it does on equal servers that are taken
 * whole; it falls where the ring goes on to another server. So only numbers at such borders are
 * tried: the most that fit, the same on 1, 2, 4, ... servers fewer, one server, and the least.
 */
public final class ElasticOrder extends SlottedPolicy {
  public static final PolicySpec FIFO =
      new PolicySpec(
          "fifo-elastic",
          "First come, first served, each job as large as makes it fastest; in slots.",
          "baseline for elastic jobs",
          List.of(SLOT),
          Pack::rule,
          (settings, cluster) -> new ElasticOrder((_, _) -> 0, settings, cluster));

  public static final PolicySpec LEAST_ATTAINED =
      new PolicySpec(
          "las-elastic",
          "Least attained service first, each job as large as makes it fastest; in slots.",
          "baseline for elastic jobs; the order of Tiresias, Gu et al., NSDI 2019",
          List.of(SLOT),
          Pack::rule,
          (settings, cluster) -> new ElasticOrder(ElasticOrder::attained, settings, cluster));

  /** Where a job stands; the lesser goes first, and of equals the one that came first. */
  @FunctionalInterface
  private interface Key {
    double of(View view, int job);
  }

  private final Key key;
  private final Placer placer;
  private final IterationTime time;

  private ElasticOrder(Key key, Settings settings, Cluster cluster) {
    super(settings);
    this.key = key;
    this.placer = new Pack(cluster);
    this.time = IterationTime.of(cluster);
  }

  /**
   * The last restart of a running job is not counted: else jobs whose restart takes a slot would
   * take turns for ever and get nowhere.
   */
  private static double attained(View view, int job) {
    return view.running(job)
        ? view.attainedGpuSeconds(job) - view.warmupSeconds(job) * view.placement(job).workers()
        : view.attainedGpuSeconds(job);
  }

  @Override
  protected Map<Integer, Placement> share(View view, int[] jobs, Pinned pinned) {
    Seats seats = new Seats(view, placer, ordered(view, pinned.others()), pinned.free());
    // What is left only becomes less: where some workers found no place, as many find none later.
    Map<Demand, Integer> tooMany = new HashMap<>();
    while (seats.next()) {
      int job = seats.job();
      int least = view.minGpus(job);
      if (least > seats.left().total()
          || least >= tooMany.getOrDefault(view.demand(job), Integer.MAX_VALUE)) {
        continue;
      }
      Placement best = fastest(view, seats.left(), job);
      if (best == null) {
        tooMany.put(view.demand(job), least);
      } else {
        Placement present = seats.present();
        if (present == null || present.workers() != best.workers()) {
          present = seats.find(best.workers(), place -> seconds(view, job, place));
        }
        seats.take(present == null ? best : present);
      }
    }
    return seats.plan();
  }

  @Override
  protected void fill(View view, Decisions decisions, WaitingJobs queue) {
    for (int job = queue.next(view.free().total());
        job >= 0;
        job = queue.next(view.free().total())) {
      Placement best = fastest(view, view.free(), job);
      if (best == null) {
        queue.refuse(view.minGpus(job), view.demand(job));
      } else {
        decisions.start(job, best);
      }
    }
  }

  @Override
  protected double waitingKey(View view, int job) {
    return key.of(view, job);
  }

  private int[] ordered(View view, int[] jobs) {
    record Placed(double key, int job) {}
    return Arrays.stream(jobs)
        .mapToObj(job -> new Placed(key.of(view, job), job))
        .sorted(Comparator.comparingDouble(Placed::key))
        .mapToInt(Placed::job)
        .toArray();
  }

  private double seconds(View view, int job, Placement placement) {
    return time.seconds(view.profile(job), placement, 1);
  }

  /** Where a job is fastest, of the numbers of workers that fit; null if too few do. */
  private @Nullable Placement fastest(View view, FreeServers free, int job) {
    Demand demand = view.demand(job);
    int least = view.minGpus(job);
    Placement most = placer.most(free, demand, least, view.maxGpus(job));
    if (most == null || most.workers() == least) {
      return most;
    }
    Placement best = most;
    for (int fewer = 1; fewer < most.size(); fewer *= 2) {
      best = faster(view, job, best, place(free, demand, least, on(most, most.size() - fewer)));
    }
    if (most.size() > 2) {
      best = faster(view, job, best, place(free, demand, least, on(most, 1)));
    }
    return faster(view, job, best, place(free, demand, least, least));
  }

  private @Nullable Placement place(FreeServers free, Demand demand, int least, int workers) {
    return workers < least ? null : placer.place(free, demand, workers);
  }

  /** Workers on the first of a placement's servers: those with the most room. */
  private static int on(Placement placement, int servers) {
    int workers = 0;
    for (int i = 0; i < servers; i++) {
      workers += placement.gpus(i);
    }
    return workers;
  }

  /** The faster of two, and of equals the smaller. */
  private Placement faster(View view, int job, Placement best, @Nullable Placement other) {
    if (other == null) {
      return best;
    }
    double gain =
        other.workers() / seconds(view, job, other) - best.workers() / seconds(view, job, best);
    return gain > 0 || (gain == 0 && other.workers() < best.workers()) ? other : best;
  }
}
