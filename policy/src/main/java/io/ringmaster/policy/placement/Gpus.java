package io.ringmaster.policy.placement;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ScratchServers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Every GPU by a number: whether it is busy, and U, the execution time that was planned onto it.
 * GPUs of a server have consecutive numbers.
 */
public final class Gpus {
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
  private final int switches;

  /** Where more than GPUs is counted: what is free now, and what is when nobody is there. */
  private final @Nullable ScratchServers rest;

  private final @Nullable FreeServers empty;
  private int idle;

  /** Kept until a plan changes it. */
  private int @Nullable [] leastBusyFirst;

  public Gpus(Cluster cluster) {
    switches = cluster.topology().switches();
    rest = cluster.limitsMoreThanGpus() ? new ScratchServers(cluster) : null;
    empty = rest == null ? null : new ScratchServers(cluster);
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
    switches = from.switches;
    rest = from.rest == null ? null : new ScratchServers(from.rest);
    empty = from.empty;
    serverOf = from.serverOf;
    firstOf = from.firstOf;
    plannedSeconds = from.plannedSeconds.clone();
    plannedOn = from.plannedOn.clone();
    busy = from.busy.clone();
    idleOn = from.idleOn.clone();
    idle = from.idle;
    leastBusyFirst = from.leastBusyFirst;
  }

  public Gpus copy() {
    return new Gpus(this);
  }

  int servers() {
    return idleOn.length;
  }

  /** Of racks and pods. */
  int switches() {
    return switches;
  }

  public int size() {
    return serverOf.length;
  }

  int server(int gpu) {
    return serverOf[gpu];
  }

  int first(int server) {
    return firstOf[server];
  }

  /** GPUs of a server, busy or not. */
  int size(int server) {
    return firstOf[server + 1] - firstOf[server];
  }

  public int idle() {
    return idle;
  }

  int idleOn(int server) {
    return idleOn[server];
  }

  double plannedSeconds(int gpu) {
    return plannedSeconds[gpu];
  }

  /** Whether the rings of a job take a part of every link that they cross. */
  boolean reserves(Demand demand) {
    return rest != null && rest.reserves(demand);
  }

  /**
   * What there is for a job.
   *
   * @param seconds what it would add to the planned time of each GPU
   * @param limit no GPU may have more planned time than this
   * @param anyGpu whether busy GPUs may be taken too, to be waited for
   * @param within the rack or pod that its ring stays in, or {@link FreeServers#ANYWHERE}
   * @param only the one server for all of it; -1: any
   */
  record Offer(
      Gpus gpus,
      Demand demand,
      double seconds,
      double limit,
      boolean anyGpu,
      int within,
      int only) {
    Offer inside(int which) {
      return new Offer(gpus, demand, seconds, limit, anyGpu, which, -1);
    }

    Offer only(int server) {
      return new Offer(gpus, demand, seconds, limit, anyGpu, within, server);
    }

    boolean has(int gpu) {
      return (anyGpu || !gpus.busy[gpu]) && gpus.plannedSeconds[gpu] + seconds <= limit;
    }

    /** How many workers a server may take. */
    int room(int server) {
      return anyGpu ? capacity(server) : room(gpus.rest, server, gpus.idleOn[server]);
    }

    /** The same once nobody is there. */
    int capacity(int server) {
      return room(gpus.empty, server, gpus.size(server));
    }

    private int room(@Nullable FreeServers free, int server, int count) {
      if (free == null) {
        return count;
      }
      return only < 0
          ? free.workersOfRing(server, demand, within)
          : only == server ? free.workers(server, demand) : 0;
    }
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

  public double mostPlannedSeconds() {
    double most = 0;
    for (double planned : plannedSeconds) {
      most = Math.max(most, planned);
    }
    return most;
  }

  public void forgetPlans() {
    Arrays.fill(plannedSeconds, 0);
    Arrays.fill(plannedOn, 0);
    leastBusyFirst = null;
  }

  public void plan(int[] gpus, double seconds) {
    leastBusyFirst = null;
    for (int gpu : gpus) {
      plannedSeconds[gpu] += seconds;
      plannedOn[serverOf[gpu]] += seconds;
    }
  }

  public void occupy(int[] gpus, Demand demand) {
    for (int gpu : gpus) {
      busy[gpu] = true;
      idleOn[serverOf[gpu]]--;
    }
    idle -= gpus.length;
    if (rest != null) {
      rest.take(placement(gpus), demand);
    }
  }

  public void release(int[] gpus, Demand demand) {
    for (int gpu : gpus) {
      busy[gpu] = false;
      idleOn[serverOf[gpu]]++;
    }
    idle += gpus.length;
    if (rest != null) {
      rest.release(placement(gpus), demand);
    }
  }

  /** The servers of some GPUs, which are in ascending order. */
  public Placement placement(int[] gpus) {
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
  public int[] idleFor(Placement placement) {
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
