package io.ringmaster.model;

import io.ringmaster.model.pipeline.Pipeline;
import io.ringmaster.model.pipeline.Stage;

/** A pipeline whose replicas are on servers with even shares: what its stages cost there. */
final class PlacedPipeline {
  private final int stages;
  private final int servers;
  private final int[] replicas;

  /** Bytes between a replica and the next stage, and the stage before: both ways. */
  private final double[] after;

  private final double[] before;

  private final Tier[] tiers;
  private final double[] intra;
  private final StageTimes times;

  /** Replicas of stage s on server i at i * stages + s. */
  private final int[] x;

  /**
   * The links that lead out of servers, or out of racks or pods of them.
   *
   * @param group of each of the placement's servers: what it leaves by such a link
   * @param share bytes a second of that link for each GPU below it, by server
   * @param narrowest the least share on the way there from a server
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared, and not seen outside.
  record Tier(int[] group, double[] share, double[] narrowest) {}

  /**
   * @param tiers those that the placement crosses, of servers first
   * @param intra bytes a second inside each of its servers
   */
  PlacedPipeline(
      Pipeline pipeline, Placement placement, Tier[] tiers, double[] intra, Pipelining pipelining) {
    this.stages = pipeline.size();
    this.servers = placement.size();
    this.replicas = new int[stages];
    this.after = new double[stages];
    this.before = new double[stages];
    this.tiers = tiers;
    this.intra = intra;
    this.times = new StageTimes(pipeline, pipelining);
    this.x = new int[servers * stages];
    for (int s = 0; s < stages; s++) {
      replicas[s] = pipeline.stage(s).replicas();
      after[s] = bytesAfter(pipeline, s);
      before[s] = bytesBefore(pipeline, s);
      int sum = 0;
      for (int i = 0; i < servers; i++) {
        x[i * stages + s] = placement.replicas(i, s);
        sum += placement.replicas(i, s);
      }
      if (sum != replicas[s]) {
        throw new IllegalArgumentException(
            "stage %d has %d replicas placed of %d".formatted(s + 1, sum, replicas[s]));
      }
    }
    for (int s = 0; s < stages; s++) {
      update(s);
    }
  }

  static double bytesAfter(Pipeline pipeline, int s) {
    return s + 1 < pipeline.size() ? 2 * pipeline.stage(s).sentBytes() : 0;
  }

  static double bytesBefore(Pipeline pipeline, int s) {
    if (s == 0) {
      return 0;
    }
    Stage before = pipeline.stage(s - 1);
    return 2 * before.sentBytes() * before.replicas() / pipeline.stage(s).replicas();
  }

  double seconds() {
    return times.seconds();
  }

  /** Of all stages together, each with its sum. */
  double totalSeconds() {
    return times.total();
  }

  int[] critical() {
    return times.critical();
  }

  int stages() {
    return stages;
  }

  int servers() {
    return servers;
  }

  boolean has(int i, int s) {
    return x[i * stages + s] > 0;
  }

  int[] mapping() {
    return x.clone();
  }

  /** Where the activations of a stage take longest. */
  int slowestExchange(int s) {
    int slowest = -1;
    double most = -1;
    for (int i = 0; i < servers; i++) {
      if (has(i, s) && exchangeSeconds(s, i) > most) {
        most = exchangeSeconds(s, i);
        slowest = i;
      }
    }
    return slowest;
  }

  /** Where the ring of a stage is narrowest. */
  int narrowestRing(int s) {
    int narrowest = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < servers; i++) {
      if (has(i, s) && ringBandwidth(s, i) < least) {
        least = ringBandwidth(s, i);
        narrowest = i;
      }
    }
    return narrowest;
  }

  /** A replica of stage a on server i and one of stage b on server j change places. */
  void swap(int i, int a, int j, int b) {
    x[i * stages + a]--;
    x[i * stages + b]++;
    x[j * stages + b]--;
    x[j * stages + a]++;
    for (int s = Math.max(0, a - 1); s <= Math.min(a + 1, stages - 1); s++) {
      update(s);
    }
    for (int s = Math.max(0, b - 1); s <= Math.min(b + 1, stages - 1); s++) {
      if (Math.abs(s - a) > 1) {
        update(s);
      }
    }
  }

  private void update(int s) {
    double exchange = 0;
    double ring = Double.POSITIVE_INFINITY;
    for (int i = 0; i < servers; i++) {
      if (has(i, s)) {
        exchange = Math.max(exchange, exchangeSeconds(s, i));
        ring = Math.min(ring, ringBandwidth(s, i));
      }
    }
    times.set(s, exchange, ring);
  }

  private double ringBandwidth(int s, int i) {
    int here = x[i * stages + s];
    if (here == replicas[s]) {
      return intra[i];
    }
    double bandwidth = here * tiers[0].share[i];
    for (int t = 1; t < tiers.length; t++) {
      int inside = inside(t, i, s);
      if (inside < replicas[s]) {
        bandwidth = Math.min(bandwidth, inside * tiers[t].share[i]);
      }
    }
    return bandwidth;
  }

  /** Replicas of a stage in the rack or pod of a server. */
  private int inside(int t, int i, int s) {
    int[] group = tiers[t].group;
    int inside = 0;
    for (int k = 0; k < servers; k++) {
      inside += group[k] == group[i] ? x[k * stages + s] : 0;
    }
    return inside;
  }

  /** Activations and their gradients of a replica of the stage on the server. */
  private double exchangeSeconds(int s, int i) {
    double seconds = s + 1 < stages ? seconds(after[s], s + 1, i) : 0;
    return s > 0 ? seconds + seconds(before[s], s - 1, i) : seconds;
  }

  private double seconds(double bytes, int other, int i) {
    double here = (double) x[i * stages + other] / replicas[other];
    double perByte = 0;
    double below = here;
    for (int t = 0; t < tiers.length; t++) {
      double within = t + 1 < tiers.length ? (double) inside(t + 1, i, other) / replicas[other] : 1;
      perByte += (within - below) / tiers[t].narrowest[i];
      below = within;
    }
    return bytes * (perByte + here / intra[i]);
  }
}
