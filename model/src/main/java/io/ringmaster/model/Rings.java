package io.ringmaster.model;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which rings are on each link, and which of them feel a change: on the network links of servers,
 * and where servers are in racks and pods on the uplinks of these. Only jobs that share a link with
 * a ring that came or went are looked at again, and on an uplink only those that it may hold up.
 *
 * <p>Links are numbered: those of servers, then the uplinks of switches.
 */
public final class Rings {
  private final int servers;
  private final int[][] jobsOn;
  private final int[] count;
  private final IntList changedLinks = new IntList();
  private final boolean[] changed;

  /** Null if every ring counts whole. */
  private final @Nullable Counts counts;

  /** Null if all servers hang on one switch. */
  private final @Nullable Uplinks uplinks;

  public Rings(int servers, IterationTime time) {
    this.servers = servers;
    RingContention ring = time instanceof RingContention contention ? contention : null;
    boolean inTiers = ring != null && ring.topology().switches() > 1;
    int links = inTiers ? servers + Objects.requireNonNull(ring).topology().switches() : servers;
    jobsOn = new int[links][0];
    count = new int[links];
    changed = new boolean[links];
    counts = ring == null || ring.countsRings() ? null : counts(ring, links);
    uplinks = ring != null && inTiers ? new Uplinks(ring, links) : null;
  }

  private Counts counts(RingContention ring, int links) {
    return ring.turns() == null
        ? new Shares(ring, links)
        : new InTurns(new RingTurns(ring, servers, links));
  }

  private Rings(Rings other) {
    servers = other.servers;
    jobsOn = new int[other.jobsOn.length][];
    for (int s = 0; s < jobsOn.length; s++) {
      jobsOn[s] = other.jobsOn[s].clone();
    }
    count = other.count.clone();
    changed = other.changed.clone();
    changedLinks.addAll(other.changedLinks);
    counts =
        switch (other.counts) {
          case null -> null;
          case Shares others -> new Shares(others);
          case InTurns others -> new InTurns(others.turns.copy());
        };
    uplinks = other.uplinks == null ? null : new Uplinks(other.uplinks);
  }

  public Rings copy() {
    return new Rings(this);
  }

  public void join(int job, @Nullable ModelProfile profile, Placement placement) {
    if (counts != null) {
      counts.join(job, Objects.requireNonNull(profile), placement);
    }
    for (int i = 0; i < placement.size(); i++) {
      join(job, placement.server(i));
      note(placement.server(i));
    }
    if (uplinks != null) {
      uplinks.join(job, placement);
    }
  }

  private void join(int job, int link) {
    jobsOn[link] = Grow.ensure(jobsOn[link], count[link] + 1);
    jobsOn[link][count[link]++] = job;
  }

  public void leave(int job, Placement placement) {
    for (int i = 0; i < placement.size(); i++) {
      leave(job, placement.server(i));
      note(placement.server(i));
    }
    if (uplinks != null) {
      uplinks.leave(job, placement);
    }
  }

  private void leave(int job, int link) {
    int[] jobs = jobsOn[link];
    int at = 0;
    while (jobs[at] != job) {
      at++;
    }
    jobs[at] = jobs[--count[link]];
  }

  private void note(int link) {
    if (!changed[link]) {
      changed[link] = true;
      changedLinks.add(link);
    }
    if (counts != null) {
      counts.forget(link);
    }
  }

  /**
   * What a ring has to share its link with on the busiest of its servers, itself included: p, or
   * one and the shares of the others. If an uplink holds it up more than that, what would do so on
   * its servers' links.
   */
  public double contenders(int job, Placement placement) {
    double most = onServers(job, placement);
    return uplinks == null ? most : uplinks.contenders(job, placement, most);
  }

  private double onServers(int job, Placement placement) {
    if (counts != null) {
      return counts.contenders(job, placement);
    }
    int most = 0;
    for (int i = 0; i < placement.size(); i++) {
      most = Math.max(most, count[placement.server(i)]);
    }
    return most;
  }

  public boolean anyChanged() {
    return !changedLinks.isEmpty();
  }

  /** Moves the jobs that feel what changed into a list; one may be there more than once. */
  public void drainFelt(IntList felt) {
    for (int i = 0; i < changedLinks.size(); i++) {
      int link = changedLinks.get(i);
      changed[link] = false;
      for (int k = 0; k < count[link]; k++) {
        int job = jobsOn[link][k];
        if (link < servers || Objects.requireNonNull(uplinks).holdsUp(job, link)) {
          felt.add(job);
        }
      }
      if (uplinks != null) {
        uplinks.most[link] = count[link];
      }
    }
    changedLinks.clear();
  }

  /** What rings count for each other where that is not one each. */
  private abstract static sealed class Counts {
    abstract void join(int job, ModelProfile profile, Placement placement);

    /** Rings came to a link or left it. */
    abstract void forget(int link);

    /** What a ring has to share a link with, itself included. */
    abstract double contenders(int job, int link);

    final double contenders(int job, Placement placement) {
      double most = 1;
      for (int i = 0; i < placement.size(); i++) {
        most = Math.max(most, contenders(job, placement.server(i)));
      }
      return most;
    }
  }

  /** What rings count for each other that take turns. */
  private final class InTurns extends Counts {
    private final RingTurns turns;

    InTurns(RingTurns turns) {
      this.turns = turns;
    }

    @Override
    void join(int job, ModelProfile profile, Placement placement) {
      turns.join(job, profile, placement);
    }

    @Override
    void forget(int link) {
      turns.forget(link);
    }

    @Override
    double contenders(int job, int link) {
      return turns.contenders(job, link, jobsOn[link], count[link]);
    }
  }

  /** What rings count for each other where that is less than one each. */
  private final class Shares extends Counts {
    private final RingContention time;

    /** By job. */
    private double[] restRatio = {};

    private double[] alone = {};

    /** By link, of all its rings; NaN if it is to be added up anew. */
    private final double[] sums;

    Shares(RingContention time, int links) {
      this.time = time;
      this.sums = new double[links];
    }

    Shares(Shares other) {
      time = other.time;
      restRatio = other.restRatio.clone();
      alone = other.alone.clone();
      sums = other.sums.clone();
    }

    @Override
    void join(int job, ModelProfile profile, Placement placement) {
      restRatio = Grow.ensure(restRatio, job + 1);
      restRatio[job] = time.restRatio(profile, placement);
      if (uplinks != null) {
        alone = Grow.ensure(alone, job + 1);
        alone[job] = time.bandwidthAlone(placement);
      }
    }

    @Override
    void forget(int link) {
      sums[link] = Double.NaN;
    }

    @Override
    double contenders(int job, int link) {
      if (Double.isNaN(sums[link])) {
        sums[link] = sum(link);
      }
      return 1 + (sums[link] - share(job, link));
    }

    private double share(int job, int link) {
      return link < servers
          ? time.share(restRatio[job], count[link])
          : time.share(restRatio[job], count[link], link - servers, alone[job]);
    }

    private double sum(int link) {
      double sum = 0;
      for (int k = 0; k < count[link]; k++) {
        sum += share(jobsOn[link][k], link);
      }
      return sum;
    }
  }

  /** What uplinks of racks and pods do to rings. */
  private final class Uplinks {
    private final RingContention time;
    private final Topology topology;
    private final IntList crossed = new IntList();

    /** By link: the most rings that were there since rings were last drained. */
    private final int[] most;

    /**
     * By job: the narrowest link of its servers, and how much it was slowed down when last seen.
     */
    private double[] nic = {};

    private double[] degradation = {};

    Uplinks(RingContention time, int links) {
      this.time = time;
      this.topology = time.topology();
      this.most = new int[links];
    }

    Uplinks(Uplinks other) {
      time = other.time;
      topology = other.topology;
      most = other.most.clone();
      nic = other.nic.clone();
      degradation = other.degradation.clone();
    }

    void join(int job, Placement placement) {
      nic = Grow.ensure(nic, job + 1);
      degradation = Grow.ensure(degradation, job + 1);
      nic[job] = time.slowestNic(placement);
      topology.uplinks(placement, crossed);
      for (int i = 0; i < crossed.size(); i++) {
        int link = servers + crossed.get(i);
        Rings.this.join(job, link);
        noteIfNarrow(link, count[link]);
      }
    }

    void leave(int job, Placement placement) {
      topology.uplinks(placement, crossed);
      for (int i = 0; i < crossed.size(); i++) {
        int link = servers + crossed.get(i);
        noteIfNarrow(link, count[link]);
        Rings.this.leave(job, link);
      }
    }

    private void noteIfNarrow(int link, int rings) {
      most[link] = Math.max(most[link], rings);
      if (counts != null) {
        counts.forget(link);
      }
      if (time.mayBeNarrow(link - servers, rings)) {
        note(link);
      }
    }

    /** Whether an uplink may have held a job up before it changed, or may now. */
    boolean holdsUp(int job, int link) {
      if (time.turns() != null) {
        return true;
      }
      double perByte = time.degradation(most[link]) / topology.uplink(link - servers);
      return perByte * nic[job] >= degradation[job];
    }

    double contenders(int job, Placement placement, double onServers) {
      double least = time.degradation(onServers);
      double worst = least;
      int tiers = topology.tiers(placement);
      int before = -1;
      for (int i = 0; tiers > 0 && i < placement.size(); i++) {
        int rack = topology.rack(placement.server(i));
        if (rack != before) {
          worst = Math.max(worst, degradation(job, rack));
          worst =
              tiers > 1
                  ? Math.max(worst, degradation(job, topology.pod(placement.server(i))))
                  : worst;
        }
        before = rack;
      }
      degradation[job] = worst;
      return worst > least ? time.contendersOf(worst) : onServers;
    }

    private double degradation(int job, int which) {
      int link = servers + which;
      double contenders = counts == null ? count[link] : counts.contenders(job, link);
      return nic[job] * (time.degradation(contenders) / topology.uplink(which));
    }
  }
}
