package io.ringmaster.control.plane;

import io.ringmaster.control.store.Measured;
import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.predictor.speed.SpeedFit;
import io.ringmaster.predictor.speed.SpeedForm;
import io.ringmaster.predictor.speed.StepTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Bends a model's profile to measured iterations. One number of workers alone makes it slower or
 * faster as a whole. Several give it a new shape: {@link SpeedFit} is fitted to them, and to what
 * the profile says of other places, made slower or faster likewise, which counts less.
 *
 * <p>Medians and bounds keep it sane: a job that hung, a clock that jumped or a false report moves
 * it little, and nothing moves it further than {@value #MOST_SCALE} times.
 */
final class SpeedCurve {
  private static final double MOST_SCALE = 8;

  /** What is further off is not believed at all. */
  private static final double MOST_BELIEVED = 20;

  /** A fit may differ by so much from the curve it bends; else only the scale is taken. */
  private static final double MOST_BEND = 4;

  /** As often as one place of the profile a measured one counts, for each of its measurements. */
  private static final int REPEATS = 4;

  private static final int MOST_COUNTED = 4;

  private final Cluster cluster;
  private final IterationTime iterationTime;
  private final List<Placement> places = new ArrayList<>();

  SpeedCurve(Cluster cluster) {
    this.cluster = cluster;
    this.iterationTime = IterationTime.of(cluster);
    for (int workers = 1; workers <= cluster.totalGpus(); workers *= 2) {
      places.add(cluster.idealPlacement(workers));
      Placement spread = place(workers, Math.min(workers, cluster.size()));
      if (spread != null && workers > 1 && spread.crossesServers()) {
        places.add(spread);
      }
    }
  }

  /** Whether iterations take longer on some places than on others, for any model. */
  boolean isOfUse() {
    return iterationTime.placesMatter();
  }

  /** So many workers, as evenly as possible on so many servers; null if they do not fit. */
  @Nullable Placement place(int workers, int servers) {
    int[] order =
        IntStream.range(0, cluster.size())
            .boxed()
            .sorted(Comparator.comparingInt((Integer s) -> -cluster.gpus(s)))
            .limit(servers)
            .mapToInt(Integer::intValue)
            .toArray();
    int[] counts = new int[order.length];
    int left = workers;
    for (int i = order.length - 1; i >= 0; i--) {
      counts[i] = Math.min(cluster.gpus(order[i]), left / (i + 1));
      left -= counts[i];
    }
    return left > 0 || Arrays.stream(counts).anyMatch(c -> c == 0) ? null : sorted(order, counts);
  }

  private static Placement sorted(int[] servers, int[] counts) {
    int[] byServer =
        IntStream.range(0, servers.length)
            .boxed()
            .sorted(Comparator.comparingInt(i -> servers[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    return Placement.of(
        Arrays.stream(byServer).map(i -> servers[i]).toArray(),
        Arrays.stream(byServer).map(i -> counts[i]).toArray());
  }

  double seconds(ModelProfile profile, Placement placement) {
    return iterationTime.seconds(profile, placement, 1);
  }

  /** The greatest factor between two profiles on any of the places looked at; 1 or more. */
  double difference(ModelProfile one, ModelProfile other) {
    return places.stream()
        .mapToDouble(p -> seconds(one, p) / seconds(other, p))
        .map(ratio -> Math.max(ratio, 1 / ratio))
        .max()
        .orElse(1);
  }

  /**
   * A profile that agrees with measurements.
   *
   * @param miniBatches of the whole job, for those that do not say; NaN: they are left out
   * @param shapeOnly whether they tell how speeds compare with each other only
   */
  ModelProfile bent(
      ModelProfile profile, List<Measured> measured, double miniBatches, boolean shapeOnly) {
    Map<Placement, List<Double>> ratios =
        new TreeMap<>(
            Comparator.comparingInt(Placement::workers).thenComparingInt(Placement::size));
    for (Measured one : measured) {
      Placement place = place(one.workers(), one.servers());
      double batches = Double.isNaN(miniBatches) ? one.miniBatches() : miniBatches;
      if (place != null && batches > 0) {
        double ratio = one.seconds() * one.workers() / batches / seconds(profile, place);
        ratios.computeIfAbsent(place, _ -> new ArrayList<>()).add(ratio);
      }
    }
    List<Double> all = new ArrayList<>();
    ratios.values().forEach(all::addAll);
    if (all.isEmpty()) {
      return profile;
    }
    double middle = Median.of(all);
    double scale = Math.clamp(middle, 1 / MOST_SCALE, MOST_SCALE);
    if (!shapeOnly) {
      ratios
          .values()
          .forEach(of -> of.removeIf(r -> !(r < MOST_BELIEVED && r > 1 / MOST_BELIEVED)));
      ratios.values().removeIf(List::isEmpty);
    }
    double wanted = shapeOnly ? 1 : scale;
    ModelProfile scaled = scaled(profile, wanted);
    boolean hasShape = ratios.keySet().stream().map(Placement::workers).distinct().count() > 1;
    if (!hasShape || !iterationTime.takesFittedExchange()) {
      return ratios.isEmpty() ? profile : scaled;
    }
    ModelProfile fitted = fitted(scaled, ratios, shapeOnly ? middle : scale);
    return difference(fitted, scaled) <= MOST_BEND ? fitted : scaled;
  }

  private ModelProfile fitted(
      ModelProfile scaled, Map<Placement, List<Double>> ratios, double scale) {
    List<StepTime> times = new ArrayList<>();
    for (Placement place : places) {
      times.add(StepTime.of(place, scaled.batch(), seconds(scaled, place)));
    }
    ratios.forEach((place, of) -> {
      double bend = Math.clamp(Median.of(of) / scale, 1 / MOST_BEND, MOST_BEND);
      StepTime time = StepTime.of(place, scaled.batch(), bend * seconds(scaled, place));
      times.removeIf(t -> t.workers() == time.workers() && t.servers() == time.servers());
      times.addAll(Collections.nCopies(REPEATS * Math.min(of.size(), MOST_COUNTED), time));
    });
    FittedExchange before = scaled.exchange();
    AllReduce allReduce = before == null ? AllReduce.RING : before.allReduce();
    SpeedFit fit = SpeedFit.of(times, SpeedForm.PLACED, allReduce);
    return with(
        scaled,
        fit.computeSeconds(scaled.batch()) / scaled.computeSeconds(),
        scaled.gradientBytes(),
        fit.exchange());
  }

  /** A profile that is so many times slower everywhere. */
  private static ModelProfile scaled(ModelProfile profile, double scale) {
    FittedExchange e = profile.exchange();
    FittedExchange exchange =
        e == null
            ? null
            : new FittedExchange(
                e.allReduce(),
                e.overlap(),
                scale * e.startupSeconds(),
                scale * e.insideShareSeconds(),
                scale * e.insideStepSeconds(),
                scale * e.acrossShareSeconds(),
                scale * e.acrossStepSeconds(),
                scale * e.neighbourSeconds());
    return with(profile, scale, scale * profile.gradientBytes(), exchange);
  }

  private static ModelProfile with(
      ModelProfile profile,
      double computeScale,
      double gradientBytes,
      @Nullable FittedExchange exchange) {
    return new ModelProfile(
        profile.id(),
        gradientBytes,
        profile.batch(),
        computeScale * profile.forwardSecondsPerSample(),
        computeScale * profile.backwardSeconds(),
        profile.reserveBytesPerSecond(),
        exchange,
        profile.layers(),
        profile.pipeline(),
        profile.speeds(),
        profile.source());
  }
}
