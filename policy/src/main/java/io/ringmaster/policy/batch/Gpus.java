package io.ringmaster.policy.batch;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Every GPU by a number: whether it is busy, and U, the execution time that was planned onto it.
 * GPUs of a server have consecutive numbers.
 */
final class Gpus {
  /**
   * More servers than any cluster has. The bits of a number that is not negative order as it does;
   * the lowest ones make room for the server, so means count as equal that differ by less than one
   * part in four billion.
   */
  private static final long SERVERS = 1L << 20;

  private final int[] serverOf;
  private final int[] firstOf;
  private final double[] plannedSeconds;
  private final double[] plannedOn;
  private final boolean[] busy;
  private final int[] idleOn;
  private int idle;

  /** Kept until a plan changes it. */
  private int @Nullable [] leastBusyFirst;

  Gpus(Cluster cluster) {
    serverOf = new int[cluster.totalGpus()];
    firstOf = new int[cluster.size() + 1];
    plannedSeconds = new double[serverOf.length];
    plannedOn = new double[cluster.size()];
    busy = new boolean[serverOf.length];
    idleOn = new int[cluster.size()];
    idle = serverOf.length;
    for (int s = 0; s < idleOn.length; s++) {
      idleOn[s] = cluster.gpus(s);
      firstOf[s + 1] = firstOf[s] + idleOn[s];
      Arrays.fill(serverOf, firstOf[s], firstOf[s + 1], s);
    }
  }

  private Gpus(Gpus from) {
    serverOf = from.serverOf;
    firstOf = from.firstOf;
    plannedSeconds = from.plannedSeconds.clone();
    plannedOn = from.plannedOn.clone();
    busy = from.busy.clone();
    idleOn = from.idleOn.clone();
    idle = from.idle;
    leastBusyFirst = from.leastBusyFirst;
  }

  Gpus copy() {
    return new Gpus(this);
  }

  int servers() {
    return idleOn.length;
  }

  int size() {
    return serverOf.length;
  }

  int first(int server) {
    return firstOf[server];
  }

  /** GPUs of a server, busy or not. */
  int size(int server) {
    return firstOf[server + 1] - firstOf[server];
  }

  int idle() {
    return idle;
  }

  int idleOn(int server) {
    return idleOn[server];
  }

  boolean busy(int gpu) {
    return busy[gpu];
  }

  double plannedSeconds(int gpu) {
    return plannedSeconds[gpu];
  }

  /** Servers by the mean planned time of their GPUs, then by number. Not to be changed. */
  int[] leastBusyFirst() {
    int[] known = leastBusyFirst;
    if (known != null) {
      return known;
    }
    long[] order = new long[idleOn.length];
    for (int s = 0; s < order.length; s++) {
      order[s] = (Double.doubleToLongBits(plannedOn[s] / size(s)) & -SERVERS) | s;
    }
    Arrays.sort(order);
    int[] servers = new int[order.length];
    for (int i = 0; i < servers.length; i++) {
      servers[i] = (int) (order[i] & (SERVERS - 1));
    }
    leastBusyFirst = servers;
    return servers;
  }

  double mostPlannedSeconds() {
    double most = 0;
    for (double planned : plannedSeconds) {
      most = Math.max(most, planned);
    }
    return most;
  }

  void forgetPlans() {
    Arrays.fill(plannedSeconds, 0);
    Arrays.fill(plannedOn, 0);
    leastBusyFirst = null;
  }

  void plan(int[] gpus, double seconds) {
    leastBusyFirst = null;
    for (int gpu : gpus) {
      plannedSeconds[gpu] += seconds;
      plannedOn[serverOf[gpu]] += seconds;
    }
  }

  void occupy(int[] gpus) {
    for (int gpu : gpus) {
      busy[gpu] = true;
      idleOn[serverOf[gpu]]--;
    }
    idle -= gpus.length;
  }

  void release(int[] gpus) {
    for (int gpu : gpus) {
      busy[gpu] = false;
      idleOn[serverOf[gpu]]++;
    }
    idle += gpus.length;
  }

  /** The servers of some GPUs, which are in ascending order. */
  Placement placement(int[] gpus) {
    int servers = 1;
    for (int i = 1; i < gpus.length; i++) {
      servers += serverOf[gpus[i]] == serverOf[gpus[i - 1]] ? 0 : 1;
    }
    if (servers == 1) {
      return Placement.on(serverOf[gpus[0]], gpus.length);
    }
    int[] used = new int[servers];
    int[] counts = new int[servers];
    int at = 0;
    for (int i = 0; i < gpus.length; i++) {
      if (i > 0 && serverOf[gpus[i]] != serverOf[gpus[i - 1]]) {
        at++;
      }
      used[at] = serverOf[gpus[i]];
      counts[at]++;
    }
    return Placement.of(used, counts);
  }

  /** Idle GPUs for a placement that was decided elsewhere, lowest numbers first. */
  int[] idleFor(Placement placement) {
    int[] gpus = new int[placement.workers()];
    int at = 0;
    for (int i = 0; i < placement.size(); i++) {
      int left = placement.gpus(i);
      for (int g = firstOf[placement.server(i)]; left > 0; g++) {
        if (!busy[g]) {
          gpus[at++] = g;
          left--;
        }
      }
    }
    Arrays.sort(gpus);
    return gpus;
  }
}
