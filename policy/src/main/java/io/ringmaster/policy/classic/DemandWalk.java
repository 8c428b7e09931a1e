package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.slots.Embedding;
import io.ringmaster.policy.slots.Seats;
import io.ringmaster.policy.slots.SlottedPolicy;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * The policies with a queue, for clusters that limit more than GPUs: at each event all jobs in the
 * policy's order, each of the size it asks for, where an {@link Embedding} finds room in what those
 * ahead of it leave. A job that runs keeps its place unless one ahead needs it; it then goes on
 * elsewhere, or waits.
 *
 * <p>At the same place in the order running jobs come before waiting ones, and then the job that
 * came first does. So no two jobs drive each other out in turn: a job is only stopped for one that
 * is truly ahead. Takes time in proportion to the jobs that wait or run.
 */
public final class DemandWalk implements Policy {

  /** What is fast because GPUs alone count, or else what looks at all that a cluster limits. */
  static BiFunction<Settings, Cluster, Policy> either(
      BiFunction<Settings, Cluster, Policy> counting,
      BiFunction<Settings, Cluster, Policy> looking) {
    return (settings, cluster) ->
        (cluster.limitsMoreThanGpus() ? looking : counting).apply(settings, cluster);
  }

  /** Where either of them puts jobs. */
  static PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic) {
    return cluster.limitsMoreThanGpus()
        ? Embedding.rule(settings, cluster, anyElastic)
        : Placer.rule(settings, cluster, anyElastic);
  }

  /** Where a job stands at a moment; the lesser goes first. */
  private interface Order {
    double key(View view, int job);

    /** When the order of running jobs changes, though nothing else happens. */
    default double nextChangeSeconds(View view, Iterable<Integer> jobs) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /** Ahead of all: may not be stopped. */
  private static final double UNTOUCHABLE = Double.NEGATIVE_INFINITY;

  private final Order order;
  private final QueuePolicy.Size size;
  private final boolean stops;
  private final boolean blocking;
  private final double shield;
  private final Embedding embedding;
  private final TreeSet<Integer> active = new TreeSet<>();
  private double[] startedSeconds = new double[0];

  private DemandWalk(
      Order order,
      QueuePolicy.Size size,
      boolean stops,
      boolean blocking,
      double shield,
      Cluster cluster) {
    this.order = order;
    this.size = size;
    this.stops = stops;
    this.blocking = blocking;
    this.shield = shield;
    this.embedding = Embedding.of(cluster);
  }

  public static DemandWalk fifo(Settings settings, Cluster cluster) {
    return runningToTheEnd((_, _) -> 0, View::gpus, settings, cluster);
  }

  public static DemandWalk fixed(Settings settings, Cluster cluster) {
    return runningToTheEnd((_, _) -> 0, QueuePolicy.Size.fixed(settings), settings, cluster);
  }

  public static DemandWalk sjf(Settings settings, Cluster cluster) {
    return runningToTheEnd(View::estimateSeconds, View::gpus, settings, cluster);
  }

  public static DemandWalk longestFirst(Settings settings, Cluster cluster) {
    return runningToTheEnd(
        (view, job) -> -view.estimateSeconds(job), View::gpus, settings, cluster);
  }

  private static DemandWalk runningToTheEnd(
      Order order, QueuePolicy.Size size, Settings settings, Cluster cluster) {
    boolean blocking = settings.flag(QueuePolicy.BLOCKING.name());
    return new DemandWalk(order, size, false, blocking, 0, cluster);
  }

  public static DemandWalk shortestTime(Settings settings, Cluster cluster) {
    return shortest(DemandWalk::remainingSeconds, settings, cluster);
  }

  public static DemandWalk shortestService(Settings settings, Cluster cluster) {
    return shortest((view, job) -> remainingSeconds(view, job) * view.gpus(job), settings, cluster);
  }

  private static DemandWalk shortest(Order order, Settings settings, Cluster cluster) {
    double shield = settings.number(ShortestRemaining.SHIELD.name()) * cluster.restartSeconds();
    return new DemandWalk(order, View::gpus, true, false, shield, cluster);
  }

  /** As in {@link ShortestRemaining}: the last restart of a running job is not counted. */
  private static double remainingSeconds(View view, int job) {
    double left = view.remainingSeconds(job);
    return view.running(job) ? left - view.warmupSeconds(job) : left;
  }

  public static DemandWalk leastAttained(Settings settings, Cluster cluster) {
    double[] thresholds = LeastAttained.parse(settings.text(LeastAttained.QUEUES.name()));
    return new DemandWalk(new AttainedQueues(thresholds), View::gpus, true, false, 0, cluster);
  }

  /** The queues of {@link LeastAttained}; inside one, jobs are first come first served. */
  private static final class AttainedQueues implements Order {
    /** A threshold is passed though rounding may say that a little is missing. */
    private static final double ROUNDING = 1e-9;

    private final double[] thresholds;

    AttainedQueues(double[] thresholds) {
      this.thresholds = thresholds;
    }

    @Override
    public double key(View view, int job) {
      double attained = view.attainedGpuSeconds(job) * (1 + ROUNDING);
      int queue = 0;
      while (queue < thresholds.length && attained >= thresholds[queue]) {
        queue++;
      }
      return queue;
    }

    @Override
    public double nextChangeSeconds(View view, Iterable<Integer> jobs) {
      double next = Double.POSITIVE_INFINITY;
      for (int job : jobs) {
        int queue = (int) key(view, job);
        if (view.running(job) && queue < thresholds.length) {
          double left = thresholds[queue] - view.attainedGpuSeconds(job);
          next = Math.min(next, view.nowSeconds() + left / view.placement(job).workers());
        }
      }
      return next;
    }
  }

  @Override
  public void decide(View view, Decisions decisions) {
    for (int i = 0; i < view.arrived().size(); i++) {
      active.add(view.arrived().get(i));
    }
    for (int i = 0; i < view.ended().size(); i++) {
      active.remove(view.ended().get(i));
    }
    if (stops || view.free().total() > 0) {
      walk(view, decisions);
    }
    double next = order.nextChangeSeconds(view, active);
    if (next < Double.POSITIVE_INFINITY) {
      decisions.wakeAt(Math.max(next, Math.nextUp(view.nowSeconds())));
    }
  }

  private void walk(View view, Decisions decisions) {
    int[] jobs = ordered(view);
    Seats seats = new Seats(view, embedding, jobs);
    while (seats.next()) {
      int job = seats.job();
      Placement placement = seats.present();
      if (placement == null) {
        placement = seats.find(size.of(view, job), Placement::size);
      }
      if (placement != null) {
        seats.take(placement);
      } else if (blocking) {
        break;
      }
    }
    seats.plan().forEach((job, placement) -> note(view, job, placement));
    SlottedPolicy.carryOut(view, decisions, jobs, seats.plan());
  }

  private void note(View view, int job, Placement placement) {
    if (!view.running(job) || !view.placement(job).equals(placement)) {
      startedSeconds = Grow.ensure(startedSeconds, job + 1);
      startedSeconds[job] = view.nowSeconds();
    }
  }

  private int[] ordered(View view) {
    record Placed(double key, boolean waits, int job) {}
    return active.stream()
        .map(job -> new Placed(key(view, job), view.waiting(job), job))
        .sorted(Comparator.comparingDouble(Placed::key).thenComparing(Placed::waits))
        .mapToInt(Placed::job)
        .toArray();
  }

  private double key(View view, int job) {
    boolean untouchable = view.running(job) && (!stops || shielded(view, job));
    return untouchable ? UNTOUCHABLE : order.key(view, job);
  }

  private boolean shielded(View view, int job) {
    return shield > 0
        && job < startedSeconds.length
        && view.nowSeconds() < startedSeconds[job] + shield;
  }
}
