package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.View;
import io.ringmaster.policy.queue.SizeQueues;
import java.util.Arrays;
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
  private final int[] count;
  private final IntList stale = new IntList();
  private final boolean[] isStale;
  private @Nullable Placement[] placements = new Placement[0];
  private double[] keys = new double[0];
  private int[] paces = new int[0];

  private int[] sizes = new int[0];

  /** For each size the servers by pace and key of their foremost job that would have to go. */
  private SizeQueues[] orders = new SizeQueues[0];

  /** For each size and server the pace under which it stands in the order; 0: not at all. */
  private int[][] pacesOf = new int[0][0];

  Clearable(PreemptivePolicy policy, Cluster cluster) {
    this.policy = policy;
    this.cluster = cluster;
    this.jobsOn = new int[cluster.size()][0];
    this.count = new int[cluster.size()];
    this.isStale = new boolean[cluster.size()];
  }

  void put(int job, Placement placement, double key, int pace) {
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
    }
    keys[job] = key;
    paces[job] = pace;
    placements[job] = placement;
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      jobsOn[server] = Grow.ensure(jobsOn[server], count[server] + 1);
      jobsOn[server][count[server]++] = job;
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
      jobsOn[server][at] = jobsOn[server][--count[server]];
    }
    touch(placement);
  }

  /** What is free on these servers has changed. */
  void touch(Placement placement) {
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      if (!isStale[server]) {
        isStale[server] = true;
        stale.add(server);
      }
    }
  }

  /**
   * Finds the jobs to suspend for a job of a size that stands at a place in the walk, from the
   * foremost to the hindmost. False if no servers can be cleared.
   */
  boolean find(View view, int gpus, double walkKey, boolean winsTies, IntList victims) {
    int size = gpus <= cluster.maxServerGpus() ? gpus : WHOLE;
    int index = sizeIndex(size);
    refresh(view);
    int left = gpus;
    IntList taken = new IntList();
    while (left > 0) {
      int server = top(view, index, walkKey, winsTies);
      if (server < 0) {
        break;
      }
      int need = Math.min(size, cluster.gpus(server)) - view.free().gpus(server);
      collect(view, server, need, victims);
      orders[index].remove(server, pacesOf[index][server]);
      taken.add(server);
      left -= cluster.gpus(server);
    }
    for (int i = 0; i < taken.size(); i++) {
      pacesOf[index][taken.get(i)] = 0;
      enter(view, index, taken.get(i));
    }
    return left <= 0 && !victims.isEmpty();
  }

  /** The server whose foremost job to go is the farthest back, if that is behind a place. */
  private int top(View view, int index, double walkKey, boolean winsTies) {
    int server = recordedTop(view, index, walkKey, winsTies);
    while (server >= 0) {
      // Where jobs move at different paces, what was noted is only how far back it can be.
      enter(view, index, server);
      int again = recordedTop(view, index, walkKey, winsTies);
      if (again == server) {
        return server;
      }
      server = again;
    }
    return -1;
  }

  private int recordedTop(View view, int index, double walkKey, boolean winsTies) {
    SizeQueues order = orders[index];
    int best = -1;
    double bestKey = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < order.classes(); c++) {
      if (!order.of(c).isEmpty()) {
        double key = policy.walkKey(order.of(c).peekKey(), order.gpus(c), view.nowSeconds());
        if (best < 0 || key > bestKey) {
          best = order.of(c).peek();
          bestKey = key;
        }
      }
    }
    return best >= 0 && (bestKey > walkKey || (bestKey == walkKey && winsTies)) ? best : -1;
  }

  /** Adds the hindmost jobs of a server that free so many GPUs, the foremost first. */
  private void collect(View view, int server, int need, IntList victims) {
    sortByWalk(view, server);
    int found = 0;
    int last = 0;
    while (found < need) {
      found += gpusOn(jobsOn[server][last++], server);
    }
    for (int i = last - 1; i >= 0; i--) {
      if (!contains(victims, jobsOn[server][i])) {
        victims.add(jobsOn[server][i]);
      }
    }
  }

  private static boolean contains(IntList list, int value) {
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) == value) {
        return true;
      }
    }
    return false;
  }

  private int gpusOn(int job, int server) {
    Placement placement = placements[job];
    for (int i = 0; placement != null && i < placement.size(); i++) {
      if (placement.server(i) == server) {
        return placement.gpus(i);
      }
    }
    throw new IllegalStateException("job " + job + " is not on server " + server);
  }

  private double walkKey(View view, int job) {
    return policy.walkKey(keys[job], paces[job], view.nowSeconds());
  }

  /** Hindmost first. A server has few jobs, and they are nearly in order. */
  private void sortByWalk(View view, int server) {
    int[] jobs = jobsOn[server];
    for (int i = 1; i < count[server]; i++) {
      int job = jobs[i];
      double key = walkKey(view, job);
      int at = i;
      while (at > 0 && behind(key, job, walkKey(view, jobs[at - 1]), jobs[at - 1])) {
        jobs[at] = jobs[at - 1];
        at--;
      }
      jobs[at] = job;
    }
  }

  private static boolean behind(double keyA, int jobA, double keyB, int jobB) {
    return keyA > keyB || (keyA == keyB && jobA > jobB);
  }

  private void refresh(View view) {
    for (int i = 0; i < stale.size(); i++) {
      int server = stale.get(i);
      isStale[server] = false;
      for (int index = 0; index < sizes.length; index++) {
        enter(view, index, server);
      }
    }
    stale.clear();
  }

  /** Puts a server where it belongs in the order of a size. */
  private void enter(View view, int index, int server) {
    int before = pacesOf[index][server];
    int capacity = cluster.gpus(server);
    int size = sizes[index] == WHOLE ? capacity : sizes[index];
    int need = size - view.free().gpus(server);
    int foremost = -1;
    if (size <= capacity && need > 0) {
      sortByWalk(view, server);
      for (int i = 0; i < count[server] && need > 0; i++) {
        foremost = jobsOn[server][i];
        need -= gpusOn(foremost, server);
      }
    }
    boolean free = size <= capacity && size <= view.free().gpus(server);
    boolean fits = free || (foremost >= 0 && need <= 0);
    int pace = !fits ? 0 : free ? 1 : slowestPace(server);
    if (before != 0 && before != pace) {
      orders[index].remove(server, before);
    }
    if (pace != 0) {
      double key = free ? Double.MAX_VALUE : keyAtPace(view, foremost, pace);
      orders[index].put(server, pace, key, -server);
    }
    pacesOf[index][server] = pace;
  }

  private int slowestPace(int server) {
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

  private int sizeIndex(int size) {
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] == size) {
        return i;
      }
    }
    int index = sizes.length;
    sizes = Arrays.copyOf(sizes, index + 1);
    orders = Arrays.copyOf(orders, index + 1);
    pacesOf = Arrays.copyOf(pacesOf, index + 1);
    sizes[index] = size;
    orders[index] = SizeQueues.descending();
    pacesOf[index] = new int[cluster.size()];
    for (int server = 0; server < cluster.size(); server++) {
      if (!isStale[server]) {
        isStale[server] = true;
        stale.add(server);
      }
    }
    return index;
  }
}
