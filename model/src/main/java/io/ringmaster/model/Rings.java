package io.ringmaster.model;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which rings leave each server through its network link, and which of them feel a change. Only
 * jobs that share a server with a ring that came or went are looked at again.
 */
public final class Rings {
  private final int[][] jobsOn;
  private final int[] count;
  private final IntList changedServers = new IntList();
  private final boolean[] changed;

  /** Null if every ring counts whole. */
  private final @Nullable Shares shares;

  public Rings(int servers, IterationTime time) {
    jobsOn = new int[servers][0];
    count = new int[servers];
    changed = new boolean[servers];
    shares =
        time instanceof RingContention ring && ring.countsShares()
            ? new Shares(ring, new double[0], new double[servers])
            : null;
  }

  private Rings(Rings other) {
    jobsOn = new int[other.jobsOn.length][];
    for (int s = 0; s < jobsOn.length; s++) {
      jobsOn[s] = other.jobsOn[s].clone();
    }
    count = other.count.clone();
    changed = other.changed.clone();
    changedServers.addAll(other.changedServers);
    shares =
        other.shares == null
            ? null
            : new Shares(
                other.shares.time, other.shares.restRatio.clone(), other.shares.sums.clone());
  }

  public Rings copy() {
    return new Rings(this);
  }

  public void join(int job, @Nullable ModelProfile profile, Placement placement) {
    if (shares != null) {
      shares.join(job, Objects.requireNonNull(profile), placement);
    }
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      jobsOn[server] = Grow.ensure(jobsOn[server], count[server] + 1);
      jobsOn[server][count[server]++] = job;
      note(server);
    }
  }

  public void leave(int job, Placement placement) {
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      int[] jobs = jobsOn[server];
      int at = 0;
      while (jobs[at] != job) {
        at++;
      }
      jobs[at] = jobs[--count[server]];
      note(server);
    }
  }

  private void note(int server) {
    if (!changed[server]) {
      changed[server] = true;
      changedServers.add(server);
    }
    if (shares != null) {
      shares.sums[server] = Double.NaN;
    }
  }

  /**
   * What a ring has to share its link with on the busiest of its servers, itself included: p, or
   * one and the shares of the others.
   */
  public double contenders(int job, Placement placement) {
    if (shares != null) {
      return shares.contenders(job, placement);
    }
    int most = 0;
    for (int i = 0; i < placement.size(); i++) {
      most = Math.max(most, count[placement.server(i)]);
    }
    return most;
  }

  public boolean anyChanged() {
    return !changedServers.isEmpty();
  }

  /** Moves the jobs that feel what changed into a list; one may be there more than once. */
  public void drainFelt(IntList felt) {
    changedServers.forEach(server -> {
      changed[server] = false;
      for (int k = 0; k < count[server]; k++) {
        felt.add(jobsOn[server][k]);
      }
    });
    changedServers.clear();
  }

  /** What rings count for each other where that is less than one each. */
  private final class Shares {
    private final RingContention time;

    /** By job. */
    private double[] restRatio;

    /** By server, of all its rings; NaN if it is to be added up anew. */
    private final double[] sums;

    Shares(RingContention time, double[] restRatio, double[] sums) {
      this.time = time;
      this.restRatio = restRatio;
      this.sums = sums;
    }

    void join(int job, ModelProfile profile, Placement placement) {
      restRatio = Grow.ensure(restRatio, job + 1);
      restRatio[job] = time.restRatio(profile, placement);
    }

    double contenders(int job, Placement placement) {
      double most = 1;
      for (int i = 0; i < placement.size(); i++) {
        int server = placement.server(i);
        if (Double.isNaN(sums[server])) {
          sums[server] = sum(server);
        }
        double others = sums[server] - time.share(restRatio[job], count[server]);
        most = Math.max(most, 1 + others);
      }
      return most;
    }

    private double sum(int server) {
      double sum = 0;
      for (int k = 0; k < count[server]; k++) {
        sum += time.share(restRatio[jobsOn[server][k]], count[server]);
      }
      return sum;
    }
  }
}
