package io.ringmaster.policy.ordered;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.policy.View;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When the GPUs of each server come free, by the expected ends of the jobs on it, and how many
 * rings leave it.
 */
public final class ServerEnds {
  private final int[][] jobs;
  private final double[][] ends;
  private final int[][] gpus;
  private final int[] size;
  private final int[] free;
  private final int[] rings;
  private final Map<Integer, Held> held = new HashMap<>();

  /** By count and server: when so many GPUs are free. Only for counts that were asked for. */
  private final double[][] clear;

  /** What a job holds; a ring if its workers exchange something across servers. */
  private record Held(Placement placement, boolean ring) {}

  public ServerEnds(Cluster cluster) {
    int servers = cluster.size();
    rings = new int[servers];
    clear = new double[cluster.maxServerGpus() + 1][0];
    free = cluster.servers().stream().mapToInt(Server::gpus).toArray();
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
    for (int i = 0; i < view.rerated().size(); i++) {
      expect(view, view.rerated().get(i));
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      expect(view, view.arrived().get(i));
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
    held.put(job, new Held(placement, ring));
    for (int i = 0; i < placement.size(); i++) {
      rings[placement.server(i)] += ring ? 1 : 0;
      insert(placement.server(i), job, endSeconds, placement.gpus(i));
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
      free[s] += placement.gpus(i);
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
    free[s] -= count;
    renew(s);
  }

  private void renew(int server) {
    for (int count = 1; count < clear.length; count++) {
      if (clear[count].length > 0) {
        clear[count][server] = clearSeconds(server, count);
      }
    }
  }

  private double clearSeconds(int server, int count) {
    int there = free[server];
    if (there >= count) {
      return Double.NEGATIVE_INFINITY;
    }
    for (int at = 0; at < size[server]; at++) {
      there += gpus[server][at];
      if (there >= count) {
        return ends[server][at];
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /**
   * For each server the first moment at which it has so many GPUs free: in the past if it has them
   * now, never if it has not so many. Not to be changed.
   */
  double[] clearSeconds(int count) {
    if (clear[count].length == 0) {
      clear[count] = new double[free.length];
      for (int server = 0; server < free.length; server++) {
        clear[count][server] = clearSeconds(server, count);
      }
    }
    return clear[count];
  }

  /** GPUs of a server that are free at a time if no other job starts. */
  int freeAt(int server, double seconds) {
    int there = free[server];
    for (int at = 0; at < size[server] && ends[server][at] <= seconds; at++) {
      there += gpus[server][at];
    }
    return there;
  }

  /** How many jobs are on a server; they are numbered by when they end. */
  public int count(int server) {
    return size[server];
  }

  public int job(int server, int at) {
    return jobs[server][at];
  }

  /** GPUs of a server that a job on it holds. */
  public int gpus(int server, int at) {
    return gpus[server][at];
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
