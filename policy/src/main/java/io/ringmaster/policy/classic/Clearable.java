package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ServerRoom;
import io.ringmaster.policy.View;
import io.ringmaster.policy.queue.SizeQueues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which servers can be cleared for a job of a size, and how far back in the walk the jobs are that
 * would have to go. For each size asked for so far, servers are kept in order of the foremost such
 * job: finding the best is a look at the top.
 */
final class Clearable {
  /** Stands for the size "all of the server". */
  private static final int WHOLE = Integer.MAX_VALUE;

  private final PreemptivePolicy policy;
  private final Cluster cluster;
  private final int[][] jobsOn;

  /** The GPUs that each of {@link #jobsOn} has there. */
  private final int[][] gpusOn;

  private final int[] count;

  /** For each server when its jobs were last put in order; NaN: they changed since. */
  private final double[] sortedAtSeconds;

  private final IntList taken = new IntList();
  private final ServerRoom room = new ServerRoom();
  private final Map<Demand, Integer> mostOnServer = new HashMap<>();
  private final List<Order> orders = new ArrayList<>();
  private @Nullable Placement[] placements = new Placement[0];
  private Demand[] demands = new Demand[0];
  private double[] keys = new double[0];
  private int[] paces = new int[0];

  /** Of one size, the servers by pace and key of their foremost job that would have to go. */
  private static final class Order {
    final int size;
    final Demand demand;
    final SizeQueues servers = SizeQueues.descending();

    /** For each server the pace under which it stands in the order; 0: not at all. */
    final int[] paceOf;

    /** Workers that each server holds if it is empty. */
    final int[] capacity;

    /** Servers that changed since the order was last asked. */
    final IntList stale = new IntList();

    private final boolean[] isStale;

    Order(int size, Demand demand, Cluster cluster) {
      this.size = size;
      this.demand = demand;
      this.paceOf = new int[cluster.size()];
      this.capacity = cluster.servers().stream().mapToInt(s -> s.workers(demand)).toArray();
      this.isStale = new boolean[cluster.size()];
      for (int server = 0; server < cluster.size(); server++) {
        touch(server);
      }
    }

    void touch(int server) {
      if (!isStale[server]) {
        isStale[server] = true;
        stale.add(server);
      }
    }

    void fresh() {
      for (int i = 0; i < stale.size(); i++) {
        isStale[stale.get(i)] = false;
      }
      stale.clear();
    }

    void remove(int server, int pace) {
      servers.remove(server, pace, Demand.NONE);
    }
  }

  Clearable(PreemptivePolicy policy, Cluster cluster) {
    this.policy = policy;
    this.cluster = cluster;
    this.jobsOn = new int[cluster.size()][0];
    this.gpusOn = new int[cluster.size()][0];
    this.count = new int[cluster.size()];
    this.sortedAtSeconds = new double[cluster.size()];
    Arrays.fill(sortedAtSeconds, Double.NaN);
  }

  /** The most workers that an empty server holds. */
  int mostOnServer(Demand demand) {
    return demand.isNone()
        ? cluster.maxServerGpus()
        : mostOnServer.computeIfAbsent(
            demand, d -> cluster.servers().stream().mapToInt(s -> s.workers(d)).max().orElse(0));
  }

  void put(View view, int job, Placement placement, double key) {
    if (job < placements.length && Objects.equals(placements[job], placement)) {
      keys[job] = key;
      touch(placement);
      return;
    }
    remove(job);
    if (job >= keys.length) {
      keys = Grow.ensure(keys, job + 1);
      paces = Arrays.copyOf(paces, keys.length);
      placements = Arrays.copyOf(placements, keys.length);
      demands = Arrays.copyOf(demands, keys.length);
    }
    keys[job] = key;
    paces[job] = policy.pace(view.gpus(job));
    placements[job] = placement;
    demands[job] = policy.demand(view, job);
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      jobsOn[server] = Grow.ensure(jobsOn[server], count[server] + 1);
      gpusOn[server] = Grow.ensure(gpusOn[server], count[server] + 1);
      jobsOn[server][count[server]] = job;
      gpusOn[server][count[server]++] = placement.gpus(i);
    }
    touch(placement);
  }

  void remove(int job) {
    Placement placement = job < placements.length ? placements[job] : null;
    if (placement == null) {
      return;
    }
    placements[job] = null;
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      int at = 0;
      while (jobsOn[server][at] != job) {
        at++;
      }
      int last = --count[server];
      jobsOn[server][at] = jobsOn[server][last];
      gpusOn[server][at] = gpusOn[server][last];
    }
    touch(placement);
  }

  /** What is free on these servers has changed. */
  void touch(Placement placement) {
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      sortedAtSeconds[server] = Double.NaN;
      for (int o = 0; o < orders.size(); o++) {
        orders.get(o).touch(server);
      }
    }
  }

  /**
   * Finds the jobs to suspend for a job that stands at a place in the walk, from the foremost to
   * the hindmost. False if no servers can be cleared.
   */
  boolean find(View view, int job, double walkKey, boolean winsTies, IntList victims) {
    Demand demand = policy.demand(view, job);
    int left = view.gpus(job);
    Order order = order(left <= mostOnServer(demand) ? left : WHOLE, demand);
    refresh(view, order);
    taken.clear();
    boolean found = false;
    while (!found) {
      int server = top(view, order, walkKey, winsTies);
      if (server < 0) {
        break;
      }
      collect(view, server, order, victims);
      order.remove(server, order.paceOf[server]);
      taken.add(server);
      left -= order.capacity[server];
      found = left <= 0 && (demand.isNone() || fitsWithout(view, job, victims));
    }
    for (int i = 0; i < taken.size(); i++) {
      order.paceOf[taken.get(i)] = 0;
      enter(view, order, taken.get(i));
    }
    return found && !victims.isEmpty();
  }

  /** Links may be in the way of a ring though its servers are clear. */
  private boolean fitsWithout(View view, int job, IntList victims) {
    try (FreeServers.Supposition gone = view.free().suppose()) {
      victims.forEach(v -> gone.release(view.placement(v), demands[v]));
      return policy.place(view, job) != null;
    }
  }

  /** The server whose foremost job to go is the farthest back, if that is behind a place. */
  private int top(View view, Order order, double walkKey, boolean winsTies) {
    int server = recordedTop(view, order, walkKey, winsTies);
    while (server >= 0 && !policy.isOnePace()) {
      // Where jobs move at different paces, what was noted is only how far back it can be.
      enter(view, order, server);
      int again = recordedTop(view, order, walkKey, winsTies);
      if (again == server) {
        return server;
      }
      server = again;
    }
    return server;
  }

  private int recordedTop(View view, Order order, double walkKey, boolean winsTies) {
    SizeQueues servers = order.servers;
    int best = -1;
    double bestKey = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < servers.classes(); c++) {
      if (!servers.of(c).isEmpty()) {
        double key = policy.walkKey(servers.of(c).peekKey(), servers.gpus(c), view.nowSeconds());
        if (best < 0 || key > bestKey) {
          best = servers.of(c).peek();
          bestKey = key;
        }
      }
    }
    return best >= 0 && (bestKey > walkKey || (bestKey == walkKey && winsTies)) ? best : -1;
  }

  /** Adds the hindmost jobs of a server that make room, the foremost first. */
  private void collect(View view, int server, Order order, IntList victims) {
    int last = clear(view, server, order);
    for (int i = last - 1; i >= 0; i--) {
      if (!victims.contains(jobsOn[server][i])) {
        victims.add(jobsOn[server][i]);
      }
    }
  }

  /** How many jobs of a server, the hindmost first, would have to go; -1 if all are not enough. */
  private int clear(View view, int server, Order order) {
    if (order.demand.isNone()) {
      int whole = cluster.gpus(server);
      return free(view, server, Math.min(order.size, whole) - view.free().gpus(server));
    }
    view.free().copyRoom(server, room);
    if (isClear(server, order)) {
      return 0;
    }
    sortByWalk(view, server);
    for (int i = 0; i < count[server]; i++) {
      int job = jobsOn[server][i];
      boolean ring = Objects.requireNonNull(placements[job]).crossesServers();
      room.add(gpusOn[server][i], demands[job], ring);
      if (isClear(server, order)) {
        return i + 1;
      }
    }
    return -1;
  }

  /** The same where the number of GPUs alone counts. */
  private int free(View view, int server, int missingGpus) {
    if (missingGpus <= 0) {
      return 0;
    }
    sortByWalk(view, server);
    int missing = missingGpus;
    for (int i = 0; i < count[server]; i++) {
      missing -= gpusOn[server][i];
      if (missing <= 0) {
        return i + 1;
      }
    }
    return -1;
  }

  private boolean isClear(int server, Order order) {
    return order.size == WHOLE
        ? room.gpus() == cluster.gpus(server)
        : room.workers(order.demand, false) >= order.size;
  }

  private double walkKey(View view, int job) {
    return policy.walkKey(keys[job], paces[job], view.nowSeconds());
  }

  /** Hindmost first. A server has few jobs, and they are nearly in order. */
  private void sortByWalk(View view, int server) {
    double sortedAt = sortedAtSeconds[server];
    if (sortedAt == view.nowSeconds() || (policy.isOnePace() && !Double.isNaN(sortedAt))) {
      return;
    }
    sortedAtSeconds[server] = view.nowSeconds();
    int[] jobs = jobsOn[server];
    int[] gpus = gpusOn[server];
    for (int i = 1; i < count[server]; i++) {
      int job = jobs[i];
      int held = gpus[i];
      double key = walkKey(view, job);
      int at = i;
      while (at > 0 && behind(key, job, walkKey(view, jobs[at - 1]), jobs[at - 1])) {
        jobs[at] = jobs[at - 1];
        gpus[at] = gpus[at - 1];
        at--;
      }
      jobs[at] = job;
      gpus[at] = held;
    }
  }

  private static boolean behind(double keyA, int jobA, double keyB, int jobB) {
    return keyA > keyB || (keyA == keyB && jobA > jobB);
  }

  private void refresh(View view, Order order) {
    for (int i = 0; i < order.stale.size(); i++) {
      enter(view, order, order.stale.get(i));
    }
    order.fresh();
  }

  /** Puts a server where it belongs in the order of a size. */
  private void enter(View view, Order order, int server) {
    int before = order.paceOf[server];
    int holds = order.capacity[server];
    boolean never = holds == 0 || (order.size != WHOLE && order.size > holds);
    int going = never ? -1 : clear(view, server, order);
    int pace = going < 0 ? 0 : going == 0 ? 1 : slowestPace(server);
    if (before != 0 && before != pace) {
      order.remove(server, before);
    }
    if (pace != 0) {
      double key = going == 0 ? Double.MAX_VALUE : keyAtPace(view, jobsOn[server][going - 1], pace);
      order.servers.put(server, pace, Demand.NONE, key, -server);
    }
    order.paceOf[server] = pace;
  }

  private int slowestPace(int server) {
    if (policy.isOnePace()) {
      return 1;
    }
    int slowest = Integer.MAX_VALUE;
    for (int i = 0; i < count[server]; i++) {
      slowest = Math.min(slowest, paces[jobsOn[server][i]]);
    }
    return slowest;
  }

  /**
   * The key of a job that is where another is now, but moves at a slower pace. Whichever job of the
   * server is the foremost to go later, it will not be farther back than that.
   */
  private double keyAtPace(View view, int job, int pace) {
    return pace == paces[job]
        ? keys[job]
        : policy.runningKeyAt(walkKey(view, job), pace, view.nowSeconds());
  }

  private Order order(int size, Demand demand) {
    for (int i = 0; i < orders.size(); i++) {
      Order order = orders.get(i);
      if (order.size == size && order.demand.equals(demand)) {
        return order;
      }
    }
    Order order = new Order(size, demand, cluster);
    orders.add(order);
    return order;
  }
}
