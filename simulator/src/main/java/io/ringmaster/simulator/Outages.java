package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.Maintenance;
import io.ringmaster.model.Server;
import io.ringmaster.model.Slots;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which servers are away, and since when. Each server and each rack has random numbers of its own,
 * from the run's seed and its name: so what fails when is the same whatever the policy does, and
 * whatever else is in the cluster.
 */
final class Outages {
  private final Slots slots;
  private final boolean repairVaries;
  private final PriorityQueue<Turn> turns = new PriorityQueue<>();
  private final int[] away;
  private final int[] draining;
  private final BitSet failed = new BitSet();
  private final BitSet removed = new BitSet();
  private final List<Mishap> mishaps = new ArrayList<>();
  private int sources;

  /** What takes servers away; now and then if it has random numbers, else once. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Source(
      int number,
      Mishap.Kind kind,
      String name,
      int[] servers,
      double lengthSeconds,
      double perSecond,
      @Nullable SplittableRandom random) {}

  /** Servers go or come back. What ends comes first, then in the order of sources. */
  private record Turn(double seconds, boolean begins, Source source) implements Comparable<Turn> {
    @Override
    public int compareTo(Turn other) {
      int byTime = Double.compare(seconds, other.seconds);
      int byKind = byTime != 0 ? byTime : Boolean.compare(begins, other.begins);
      return byKind != 0 ? byKind : Integer.compare(source.number, other.source.number);
    }
  }

  /**
   * All servers are there.
   *
   * @param fromSeconds nothing fails before
   */
  Outages(Cluster cluster, Slots slots, double fromSeconds, long seed) {
    this.slots = slots;
    this.away = new int[cluster.size()];
    this.draining = new int[cluster.size()];
    Failures failures = cluster.failures();
    double serverRate = Failures.perSecond(failures.serversPerThousandDays());
    double rackRate = Failures.perSecond(failures.racksPerThousandDays());
    this.repairVaries = failures.repairVaries();
    double repair = failures.repairSeconds();
    Map<String, List<Integer>> racks = new LinkedHashMap<>();
    for (int s = 0; s < cluster.size(); s++) {
      Server server = cluster.server(s);
      racks.computeIfAbsent(server.rack(), _ -> new ArrayList<>()).add(s);
      int[] alone = {s};
      add(Mishap.Kind.NODE, server.name(), alone, repair, serverRate, fromSeconds, seed);
    }
    racks.forEach((name, inside) -> {
      int[] servers = inside.stream().mapToInt(Integer::intValue).toArray();
      add(Mishap.Kind.RACK, name, servers, repair, rackRate, fromSeconds, seed);
    });
    cluster.maintenance().forEach(m -> add(cluster, m));
  }

  private void add(
      Mishap.Kind kind,
      String name,
      int[] servers,
      double lengthSeconds,
      double perSecond,
      double fromSeconds,
      long seed) {
    if (perSecond > 0) {
      SplittableRandom random = JobChance.random(kind.word() + " " + name, seed);
      Source source = new Source(sources++, kind, name, servers, lengthSeconds, perSecond, random);
      turns.add(new Turn(next(source, random, fromSeconds), true, source));
    }
  }

  private void add(Cluster cluster, Maintenance planned) {
    int[] servers =
        IntStream.range(0, cluster.size()).filter(s -> planned.takes(cluster.server(s))).toArray();
    double at = planned.atSeconds();
    double drain = Math.max(0, at - planned.drainSeconds());
    once(Mishap.Kind.MAINTENANCE, planned.name(), servers, at, planned.forSeconds());
    if (drain < at) {
      once(Mishap.Kind.DRAIN, planned.name(), servers, drain, at - drain);
    }
  }

  private void once(Mishap.Kind kind, String name, int[] servers, double at, double length) {
    Source source = new Source(sources++, kind, name, servers, length, 0, null);
    turns.add(new Turn(slots.atOrAfter(at), true, source));
  }

  private double next(Source source, SplittableRandom random, double afterSeconds) {
    return slots.atOrAfter(afterSeconds + exponential(random) / source.perSecond);
  }

  private static double exponential(SplittableRandom random) {
    return -StrictMath.log1p(-random.nextDouble());
  }

  /** When servers go or come back next; infinity if they never do. */
  double nextSeconds() {
    Turn next = turns.peek();
    return next == null ? Double.POSITIVE_INFINITY : next.seconds;
  }

  /** All that is due at a time. After it {@link #failed} and {@link #removed} say what went. */
  void advance(double nowSeconds) {
    failed.clear();
    removed.clear();
    while (nextSeconds() <= nowSeconds) {
      Turn turn = turns.remove();
      if (turn.begins) {
        begin(turn.source, turn.seconds);
      } else {
        end(turn.source, turn.seconds);
      }
    }
  }

  private void begin(Source source, double seconds) {
    double varied =
        source.random != null && repairVaries
            ? exponential(source.random) * source.lengthSeconds
            : source.lengthSeconds;
    double back = slots.atOrAfter(seconds + varied);
    for (int server : source.servers) {
      if (source.kind == Mishap.Kind.DRAIN) {
        draining[server]++;
      } else {
        away[server]++;
        (source.kind.isFailure() ? failed : removed).set(server);
      }
    }
    mishaps.add(new Mishap(source.kind, source.name, seconds, back));
    turns.add(new Turn(back, false, source));
  }

  private void end(Source source, double seconds) {
    for (int server : source.servers) {
      (source.kind == Mishap.Kind.DRAIN ? draining : away)[server]--;
    }
    if (source.random != null) {
      turns.add(new Turn(next(source, source.random, seconds), true, source));
    }
  }

  /** Servers that failed with the last {@link #advance}. */
  BitSet failed() {
    return failed;
  }

  /** Servers that were taken away on purpose with the last {@link #advance}. */
  BitSet removed() {
    return removed;
  }

  /** Whether jobs may start on a server. */
  boolean isOpen(int server) {
    return away[server] == 0 && draining[server] == 0;
  }

  /** A job failed by itself. */
  void jobFailed(String id, double seconds) {
    mishaps.add(new Mishap(Mishap.Kind.JOB, id, seconds, Double.NaN));
  }

  /** What happened so far, in order. */
  List<Mishap> mishaps() {
    return Collections.unmodifiableList(mishaps);
  }
}
