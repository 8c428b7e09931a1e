package io.ringmaster.model;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;

/**
 * Which rings leave each server through its network link, and which of them feel a change. Only
 * jobs that share a server with a ring that came or went are looked at again.
 */
public final class Rings {
  private final int[][] jobsOn;
  private final int[] count;
  private final IntList changedServers = new IntList();
  private final boolean[] changed;

  public Rings(int servers) {
    jobsOn = new int[servers][0];
    count = new int[servers];
    changed = new boolean[servers];
  }

  private Rings(Rings other) {
    jobsOn = new int[other.jobsOn.length][];
    for (int s = 0; s < jobsOn.length; s++) {
      jobsOn[s] = other.jobsOn[s].clone();
    }
    count = other.count.clone();
    changed = other.changed.clone();
    for (int i = 0; i < other.changedServers.size(); i++) {
      changedServers.add(other.changedServers.get(i));
    }
  }

  public Rings copy() {
    return new Rings(this);
  }

  public void join(int job, Placement placement) {
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
  }

  /** p: rings on the busiest of a placement's servers. */
  public int contenders(Placement placement) {
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
    for (int i = 0; i < changedServers.size(); i++) {
      int server = changedServers.get(i);
      changed[server] = false;
      for (int k = 0; k < count[server]; k++) {
        felt.add(jobsOn[server][k]);
      }
    }
    changedServers.clear();
  }
}
