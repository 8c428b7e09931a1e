package io.ringmaster.policy.ordered;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.ServerRoom;
import io.ringmaster.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When the room of each server comes free, by the expected ends of the jobs on it, and how many
 * rings leave it.
 */
public final class ServerEnds {
  private final int[][] jobs;
  private final double[][] ends;
  private final int[][] gpus;
  private final int[] size;
  private final boolean limitsMore;
  private final ServerRoom[] free;
  private final ServerRoom later = new ServerRoom();
  private final int[] rings;
  private final Map<Integer, Held> held = new HashMap<>();

  /** What was asked for so far. */
  private final List<Clear> clear = new ArrayList<>();

  /** By server: when there is room for so many workers. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Clear(int workers, Demand demand, boolean ring, double[] seconds) {
    boolean is(int count, Demand other, boolean isRing) {
      return workers == count && demand.equals(other) && (ring == isRing || demand.isNone());
    }
  }

  /** What a job holds; a ring if its workers exchange something across servers. */
  private record Held(Placement placement, Demand demand, boolean ring) {}

  public ServerEnds(Cluster cluster) {
    int servers = cluster.size();
    limitsMore = cluster.limitsMoreThanGpus();
    rings = new int[servers];
    free = new ServerRoom[servers];
    for (int s = 0; s < servers; s++) {
      free[s] = new ServerRoom();
      free[s].set(cluster.server(s));
    }
    jobs = new int[servers][4];
    ends = new double[servers][4];
    gpus = new int[servers][4];
    size = new int[servers];
  }

  /** Takes in what has happened since the last decision. */
  public void observe(View view) {
    for (int i = 0; i < view.ended().size(); i++) {
      remove(view.ended().get(i));
    }
    expectAll(view, view.rerated());
    expectAll(view, view.arrived());
  }

  private void expectAll(View view, IntList jobs) {
    for (int i = 0; i < jobs.size(); i++) {
      expect(view, jobs.get(i));
    }
  }

  private void expect(View view, int job) {
    if (view.running(job)) {
      add(view, job, view.placement(job), view.expectedEndSeconds(job));
    }
  }

  /** A job is there until a time; it may have been there before. */
  public void add(View view, int job, Placement placement, double endSeconds) {
    remove(job);
    boolean ring = placement.crossesServers() && view.profile(job) != null;
    held.put(job, new Held(placement, view.demand(job), ring));
    for (int i = 0; i < placement.size(); i++) {
      rings[placement.server(i)] += ring ? 1 : 0;
      int server = placement.server(i);
      free[server].add(-placement.gpus(i), view.demand(job), placement.crossesServers());
      insert(server, job, endSeconds, placement.gpus(i));
      renew(server);
    }
  }

  /** A job is gone, if it was there. */
  public void remove(int job) {
    Held was = held.remove(job);
    if (was == null) {
      return;
    }
    Placement placement = was.placement;
    for (int i = 0; i < placement.size(); i++) {
      int s = placement.server(i);
      rings[s] -= was.ring ? 1 : 0;
      int at = 0;
      while (jobs[s][at] != job) {
        at++;
      }
      int behind = --size[s] - at;
      System.arraycopy(jobs[s], at + 1, jobs[s], at, behind);
      System.arraycopy(ends[s], at + 1, ends[s], at, behind);
      System.arraycopy(gpus[s], at + 1, gpus[s], at, behind);
      free[s].add(placement.gpus(i), was.demand, placement.crossesServers());
      renew(s);
    }
  }

  private void insert(int s, int job, double end, int count) {
    if (size[s] == jobs[s].length) {
      jobs[s] = Arrays.copyOf(jobs[s], 2 * size[s]);
      ends[s] = Arrays.copyOf(ends[s], 2 * size[s]);
      gpus[s] = Arrays.copyOf(gpus[s], 2 * size[s]);
    }
    int at = size[s]++;
    for (; at > 0 && ends[s][at - 1] > end; at--) {
      jobs[s][at] = jobs[s][at - 1];
      ends[s][at] = ends[s][at - 1];
      gpus[s][at] = gpus[s][at - 1];
    }
    jobs[s][at] = job;
    ends[s][at] = end;
    gpus[s][at] = count;
  }

  private void renew(int server) {
    for (Clear size : clear) {
      size.seconds[server] = clearSeconds(server, size);
    }
  }

  private double clearSeconds(int server, Clear size) {
    later.set(free[server]);
    double seconds = Double.NEGATIVE_INFINITY;
    for (int at = 0; later.workers(size.demand, size.ring) < size.workers; at++) {
      if (at == this.size[server]) {
        return Double.POSITIVE_INFINITY;
      }
      release(server, at, later);
      seconds = ends[server][at];
    }
    return seconds;
  }

  /** Adds what a job on a server holds of it. */
  public void release(int server, int at, ServerRoom room) {
    if (limitsMore) {
      Held own = Objects.requireNonNull(held.get(jobs[server][at]));
      room.add(gpus[server][at], own.demand, own.placement.crossesServers());
    } else {
      room.add(gpus[server][at], Demand.NONE, false);
    }
  }

  /**
   * For each server the first moment at which it has room for so many workers: in the past if it
   * has that now, never if it is too small. Not to be changed.
   *
   * @param ring whether they have others elsewhere
   */
  double[] clearSeconds(int workers, Demand demand, boolean ring) {
    for (Clear known : clear) {
      if (known.is(workers, demand, ring)) {
        return known.seconds;
      }
    }
    Clear asked = new Clear(workers, demand, ring, new double[free.length]);
    clear.add(asked);
    for (int server = 0; server < free.length; server++) {
      renew(server);
    }
    return asked.seconds;
  }

  /** What is free on a server at a time if no other job starts. */
  void copyRoomAt(int server, double seconds, ServerRoom into) {
    into.set(free[server]);
    for (int at = 0; at < size[server] && ends[server][at] <= seconds; at++) {
      release(server, at, into);
    }
  }

  /** How many jobs are on a server; they are numbered by when they end. */
  public int count(int server) {
    return size[server];
  }

  public int job(int server, int at) {
    return jobs[server][at];
  }

  /** Where a job is that exchanges something across servers; null if it does not. */
  public @Nullable Placement ring(int job) {
    Held own = held.get(job);
    return own != null && own.ring ? own.placement : null;
  }

  /** Rings on the busiest of the servers where a job might start, with its own. */
  public int contenders(Placement placement) {
    int most = 0;
    for (int i = 0; i < placement.size(); i++) {
      most = Math.max(most, rings[placement.server(i)]);
    }
    return most + 1;
  }
}
