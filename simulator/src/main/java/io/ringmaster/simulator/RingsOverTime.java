package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.LinkRing;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.RingContention;
import io.ringmaster.model.Topology;
import io.ringmaster.model.collect.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which rings are on each link over the time of a whole run: on those of servers, and after these
 * on the uplinks of racks and pods. Filled first, then built, then read.
 */
final class RingsOverTime {
  private final int servers;
  private final Topology topology;
  private final StepCounts counts;

  /** Null where rings do not go by bandwidths. */
  private final @Nullable RingContention contention;

  /** Null if every ring counts whole. */
  private final @Nullable RingContention unequal;

  private final List<List<Span>> spans = new ArrayList<>();

  /** By link, from each of its moments on. */
  private final List<List<Step>> steps = new ArrayList<>();

  /** A ring on a link; what it is in turns is null if it sends nothing, or they take no turns. */
  private record Span(
      double from, double to, double restRatio, double bandwidth, @Nullable LinkRing turn) {}

  /** The shares of all rings together, and what each has to share with by turns. */
  private record Step(double from, double sum, Map<Integer, Double> inTurns) {}

  private static final Step NOBODY = new Step(0, 0, Map.of());

  RingsOverTime(Cluster cluster, IterationTime time) {
    servers = cluster.size();
    topology = cluster.topology();
    int links = servers + topology.switches();
    counts = new StepCounts(links);
    contention = time instanceof RingContention ring ? ring : null;
    unequal = contention == null || contention.countsRings() ? null : contention;
    for (int link = 0; unequal != null && link < links; link++) {
      spans.add(new ArrayList<>());
    }
  }

  /** The links of a placement's servers, and the uplinks that its ring crosses. */
  private int[] links(Placement placement) {
    IntStream own = IntStream.range(0, placement.size()).map(placement::server);
    if (contention == null) {
      return own.toArray();
    }
    IntList above = new IntList();
    topology.uplinks(placement, above);
    return IntStream.concat(own, Arrays.stream(above.toArray()).map(which -> servers + which))
        .toArray();
  }

  /** A job is a ring on these servers from a time up to, but not at, another. */
  void add(int job, @Nullable ModelProfile profile, Placement placement, double from, double to) {
    for (int link : links(placement)) {
      counts.add(link, from, to, 1);
      if (unequal != null) {
        ModelProfile trained = Objects.requireNonNull(profile);
        double restRatio = unequal.restRatio(trained, placement);
        double bandwidth = unequal.bandwidthAlone(placement);
        LinkRing turn = turn(unequal, job, trained, placement, link);
        spans.get(link).add(new Span(from, to, restRatio, bandwidth, turn));
      }
    }
  }

  private @Nullable LinkRing turn(
      RingContention ring, int job, ModelProfile profile, Placement placement, int link) {
    LinkRing turn = ring.turns() == null ? null : ring.onServers(job, profile, placement);
    return turn == null || link < servers ? turn : ring.onUplink(turn, placement, link - servers);
  }

  void build() {
    counts.build();
    for (int link = 0; unequal != null && link < spans.size(); link++) {
      steps.add(steps(unequal, link, spans.get(link)));
    }
  }

  private double share(
      RingContention ring, int link, double restRatio, double bandwidth, int count) {
    return link < servers
        ? ring.share(restRatio, count)
        : ring.share(restRatio, count, link - servers, bandwidth);
  }

  private List<Step> steps(RingContention ring, int link, List<Span> spans) {
    spans.sort(Comparator.comparingDouble(Span::from));
    double[] moments =
        spans.stream()
            .flatMapToDouble(span -> java.util.stream.DoubleStream.of(span.from(), span.to()))
            .sorted()
            .distinct()
            .toArray();
    List<Step> found = new ArrayList<>();
    List<Span> present = new ArrayList<>();
    int next = 0;
    for (double moment : moments) {
      while (next < spans.size() && spans.get(next).from() <= moment) {
        present.add(spans.get(next++));
      }
      present.removeIf(span -> span.to() <= moment);
      double sum = 0;
      for (Span span : present) {
        sum += share(ring, link, span.restRatio(), span.bandwidth(), present.size());
      }
      found.add(new Step(moment, sum, inTurns(ring, present)));
    }
    return found;
  }

  private static Map<Integer, Double> inTurns(RingContention ring, List<Span> present) {
    List<LinkRing> rings = new ArrayList<>();
    for (Span span : present) {
      LinkRing turn = span.turn();
      if (turn != null) {
        rings.add(turn);
      }
    }
    rings.sort(Comparator.comparingInt(LinkRing::job));
    Map<Integer, Double> contenders = new HashMap<>();
    double[] found = rings.isEmpty() ? new double[0] : ring.inTurns(rings);
    for (int i = 0; i < found.length; i++) {
      contenders.put(rings.get(i).job(), found[i]);
    }
    return contenders;
  }

  /** Both ends of a span, and all moments between them at which the rings of a link change. */
  double[] changes(Placement placement, double from, double to) {
    return counts.changes(links(placement), from, to);
  }

  /**
   * What a ring shares its busiest server's link with at a time, itself included; or if an uplink
   * holds it up more, what would do so on its servers' links.
   */
  double contenders(int job, @Nullable ModelProfile profile, Placement placement, double seconds) {
    double most = 0;
    double perByte = 0;
    for (int link : links(placement)) {
      double here = contenders(job, profile, placement, link, seconds);
      if (link < servers) {
        most = Math.max(most, here);
      } else {
        RingContention ring = Objects.requireNonNull(contention);
        perByte = Math.max(perByte, ring.degradation(here) / topology.uplink(link - servers));
      }
    }
    if (perByte == 0) {
      return most;
    }
    RingContention ring = Objects.requireNonNull(contention);
    double degradation = perByte * ring.slowestNic(placement);
    return degradation > ring.degradation(most) ? ring.contendersOf(degradation) : most;
  }

  private double contenders(
      int job, @Nullable ModelProfile profile, Placement placement, int link, double seconds) {
    int count = counts.countAt(link, seconds);
    if (unequal == null) {
      return count;
    }
    Step step = stepAt(steps.get(link), seconds);
    if (unequal.turns() != null) {
      return step.inTurns().getOrDefault(job, 1.0);
    }
    double restRatio = unequal.restRatio(Objects.requireNonNull(profile), placement);
    double own = share(unequal, link, restRatio, unequal.bandwidthAlone(placement), count);
    return 1 + step.sum() - own;
  }

  private static Step stepAt(List<Step> steps, double seconds) {
    int low = 0;
    int high = steps.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (steps.get(middle).from() <= seconds) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? NOBODY : steps.get(low - 1);
  }
}
