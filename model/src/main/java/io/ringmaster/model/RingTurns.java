package io.ringmaster.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What rings that take turns count for each other on each link: as much as makes them as slow as
 * turns do. Found when it is asked for, and kept until rings come or go there.
 */
final class RingTurns {
  private static final double[] UNKNOWN = {};

  private final RingContention time;
  private final int servers;

  /** By job; null if it sends nothing. */
  private @Nullable LinkRing[] alone = {};

  private @Nullable Placement[] placements = {};

  /** By link, of its rings in their order there; empty if it is to be found anew. */
  private final double[][] contenders;

  RingTurns(RingContention time, int servers, int links) {
    this.time = time;
    this.servers = servers;
    this.contenders = new double[links][0];
  }

  private RingTurns(RingTurns other) {
    time = other.time;
    servers = other.servers;
    alone = other.alone.clone();
    placements = other.placements.clone();
    contenders = other.contenders.clone();
  }

  RingTurns copy() {
    return new RingTurns(this);
  }

  void join(int job, ModelProfile profile, Placement placement) {
    if (job >= alone.length) {
      alone = Arrays.copyOf(alone, Math.max(job + 1, 2 * alone.length));
      placements = Arrays.copyOf(placements, alone.length);
    }
    alone[job] = time.onServers(job, profile, placement);
    placements[job] = placement;
  }

  void forget(int link) {
    contenders[link] = UNKNOWN;
  }

  /**
   * What a ring has to share a link with, itself included.
   *
   * @param jobs of the rings there, so many
   */
  double contenders(int job, int link, int[] jobs, int count) {
    double[] found = contenders[link];
    if (found.length == 0) {
      found = find(link, jobs, count);
      contenders[link] = found;
    }
    int at = 0;
    while (jobs[at] != job) {
      at++;
    }
    return found[at];
  }

  private double[] find(int link, int[] jobs, int count) {
    double[] found = new double[count];
    Arrays.fill(found, 1);
    List<LinkRing> rings = new ArrayList<>();
    for (int job : Arrays.stream(jobs, 0, count).sorted().toArray()) {
      LinkRing ring = alone[job];
      if (ring != null) {
        rings.add(link < servers ? ring : onUplink(ring, link - servers));
      }
    }
    double[] sorted = rings.isEmpty() ? found : time.inTurns(rings);
    for (int i = 0; i < rings.size(); i++) {
      int at = 0;
      while (jobs[at] != rings.get(i).job()) {
        at++;
      }
      found[at] = sorted[i];
    }
    return found;
  }

  private LinkRing onUplink(LinkRing ring, int which) {
    return time.onUplink(ring, Objects.requireNonNull(placements[ring.job()]), which);
  }
}
