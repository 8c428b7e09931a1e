package io.ringmaster.simulator;

import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.RingContention;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which rings leave each server over the time of a whole run. Filled first, then built, then read.
 */
final class RingsOverTime {
  private final StepCounts counts;

  /** Null if every ring counts whole. */
  private final @Nullable RingContention shares;

  private final List<List<Span>> spans = new ArrayList<>();

  /** By server, from each of its moments on: the shares of all its rings together. */
  private final List<List<Step>> sums = new ArrayList<>();

  private record Span(double from, double to, double restRatio) {}

  private record Step(double from, double sum) {}

  RingsOverTime(int servers, IterationTime time) {
    counts = new StepCounts(servers);
    shares = time instanceof RingContention ring && ring.countsShares() ? ring : null;
    for (int server = 0; shares != null && server < servers; server++) {
      spans.add(new ArrayList<>());
    }
  }

  /** A job is a ring on these servers from a time up to, but not at, another. */
  void add(@Nullable ModelProfile profile, Placement placement, double from, double to) {
    for (int s = 0; s < placement.size(); s++) {
      counts.add(placement.server(s), from, to, 1);
      if (shares != null) {
        double restRatio = shares.restRatio(Objects.requireNonNull(profile), placement);
        spans.get(placement.server(s)).add(new Span(from, to, restRatio));
      }
    }
  }

  void build() {
    counts.build();
    if (shares != null) {
      for (List<Span> here : spans) {
        sums.add(steps(shares, here));
      }
    }
  }

  private static List<Step> steps(RingContention shares, List<Span> spans) {
    spans.sort(Comparator.comparingDouble(Span::from));
    double[] moments =
        spans.stream()
            .flatMapToDouble(span -> java.util.stream.DoubleStream.of(span.from(), span.to()))
            .sorted()
            .distinct()
            .toArray();
    List<Step> steps = new ArrayList<>();
    List<Span> present = new ArrayList<>();
    int next = 0;
    for (double moment : moments) {
      while (next < spans.size() && spans.get(next).from() <= moment) {
        present.add(spans.get(next++));
      }
      present.removeIf(span -> span.to() <= moment);
      double sum = 0;
      for (Span span : present) {
        sum += shares.share(span.restRatio(), present.size());
      }
      steps.add(new Step(moment, sum));
    }
    return steps;
  }

  /** Both ends of a span, and all moments between them at which the rings of a server change. */
  double[] changes(Placement placement, double from, double to) {
    return counts.changes(placement, from, to);
  }

  /** What a ring shares its busiest link with at a time, itself included. */
  double contenders(@Nullable ModelProfile profile, Placement placement, double seconds) {
    double most = 0;
    for (int s = 0; s < placement.size(); s++) {
      int server = placement.server(s);
      int count = counts.countAt(server, seconds);
      double here = count;
      if (shares != null) {
        double restRatio = shares.restRatio(Objects.requireNonNull(profile), placement);
        here = 1 + sumAt(sums.get(server), seconds) - shares.share(restRatio, count);
      }
      most = Math.max(most, here);
    }
    return most;
  }

  private static double sumAt(List<Step> steps, double seconds) {
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
    return low == 0 ? 0 : steps.get(low - 1).sum();
  }
}
