package io.ringmaster.bounds;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.LowerBounds;
import java.util.stream.IntStream;

/**
 * How good the best schedule is that runs each job once, to its end, with the GPUs it asks for:
 * what policies do that neither stop nor resize jobs. The search counts GPUs alone; on a cluster
 * that limits more, only the relaxations are given.
 */
public final class BestSchedule {
  /** With more jobs a search over orders and servers proves little in reasonable time. */
  static final int MOST_JOBS_ON_SERVERS = 12;

  /**
   * With more jobs the solver does not get beyond the relaxations, and it may think for minutes
   * before it first looks at its time limit.
   */
  static final int MOST_JOBS_IN_POOL = 500;

  private BestSchedule() {}

  /** The least of an objective, as far as it can be found in so many seconds. */
  public static Bound of(Objective objective, Jobs jobs, Cluster cluster, double seconds) {
    long until = System.nanoTime() + (long) (seconds * 1e9);
    double any = objective.seconds(jobs, LowerBounds.of(jobs, cluster));
    if (jobs.namesKinds()) {
      // What follows takes all GPUs to be alike.
      return new Bound(
          objective, any, any, Double.NaN, Bound.Status.SKIPPED, Bound.Model.RELAXATIONS);
    }
    Instance instance = new Instance(jobs, cluster);
    double lower = Math.max(any, WideJobs.leastSeconds(objective, instance));
    if (cluster.limitsMoreThanGpus()) {
      return new Bound(
          objective, any, lower, Double.NaN, Bound.Status.SKIPPED, Bound.Model.RELAXATIONS);
    }
    Trials trials = new Trials(instance, objective);
    trials.lists();
    Search search = new Search(trials, lower, until);
    Bound.Model model = model(instance);
    if (!search.closed()) {
      if (model == Bound.Model.RELAXATIONS || !Search.available()) {
        model = Bound.Model.RELAXATIONS;
      } else if (instance.size() <= MOST_JOBS_ON_SERVERS) {
        small(objective, instance, trials, search, model);
      } else {
        TimeModel times = new TimeModel(instance, objective, trials.bestSeconds());
        times.onePool();
        search.pool(times);
      }
    }
    Bound.Status status =
        search.closed()
            ? Bound.Status.OPTIMAL
            : model == Bound.Model.RELAXATIONS ? Bound.Status.SKIPPED : Bound.Status.BOUND;
    double best = trials.bestSeconds();
    return new Bound(
        objective,
        any,
        search.lowerSeconds(),
        Double.isInfinite(best) ? Double.NaN : best,
        status,
        model);
  }

  private static Bound.Model model(Instance instance) {
    if (instance.size() > MOST_JOBS_IN_POOL) {
      return Bound.Model.RELAXATIONS;
    }
    boolean placesMatter = !IntStream.range(0, instance.size()).allMatch(instance::sameEverywhere);
    return placesMatter
            && instance.size() <= MOST_JOBS_ON_SERVERS
            && instance.cluster().size() <= Instance.MOST_SERVERS
        ? Bound.Model.SERVERS
        : Bound.Model.POOL;
  }

  /** Without contention first: that is quick, and often the best schedule has none. */
  private static void small(
      Objective objective, Instance instance, Trials trials, Search search, Bound.Model model) {
    long rings = IntStream.range(0, instance.size()).filter(instance::mayContend).count();
    TimeModel times = new TimeModel(instance, objective, trials.bestSeconds());
    Orders orders = new Orders(times);
    if (model == Bound.Model.POOL) {
      search.orders(times, null);
      return;
    }
    search.orders(times, new Servers(times, orders));
    if (!search.closed() && rings > 1) {
      times = new TimeModel(instance, objective, trials.bestSeconds());
      orders = new Orders(times);
      Servers servers = new Servers(times, orders);
      new Rings(times, orders, servers);
      search.orders(times, servers);
    }
  }
}
