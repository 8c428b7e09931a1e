package io.ringmaster.predictor.speed;

import io.ringmaster.model.AllReduce;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * How far models are off in places that they were not fitted to. Whole places are held out, all
 * batches of them: workers, servers and the most on one server, in whatever order servers were
 * listed.
 */
public record HoldOut(int places, int heldOut, Map<Method, RelativeErrors> errors) {
  private static final int LEAST_PLACES = 3;

  public HoldOut {
    errors = Collections.unmodifiableMap(errors);
  }

  public enum Method {
    CONSTANT,
    LINEAR,
    PAPER,
    POLLUX,
    PLACED,
    EACH_BATCH;

    SpeedModel fit(List<StepTime> times, AllReduce allReduce) {
      return switch (this) {
        case CONSTANT -> ConstantSpeed.of(times);
        case LINEAR -> LinearScaling.of(times);
        case PAPER -> SpeedFit.of(times, SpeedForm.PAPER, allReduce);
        case POLLUX -> PolluxSpeed.of(times);
        case PLACED -> SpeedFit.of(times, SpeedForm.PLACED, allReduce);
        case EACH_BATCH -> EachBatch.of(times, allReduce);
      };
    }
  }

  /** Whether there are enough places to hold some out. */
  public static boolean possible(List<StepTime> times) {
    return places(times).size() >= LEAST_PLACES;
  }

  /**
   * Fits all methods to a part of the places, and sees how far off they are in the others.
   *
   * @param share of places to hold out, above 0 and below 1; at least one is, and at least one is
   *     not
   */
  public static HoldOut of(List<StepTime> times, double share, long seed, AllReduce allReduce) {
    List<List<Integer>> places = places(times);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = places.size() - 1; i > 0; i--) {
      Collections.swap(places, i, random.nextInt(i + 1));
    }
    int held = Math.clamp((long) (share * places.size()), 1, places.size() - 1);
    Set<List<Integer>> out = new HashSet<>(places.subList(0, held));
    List<StepTime> fitted = new ArrayList<>();
    List<StepTime> tested = new ArrayList<>();
    times.stream()
        .sorted(StepTime.ORDER)
        .forEach(time -> (out.contains(place(time)) ? tested : fitted).add(time));
    Map<Method, RelativeErrors> errors = new EnumMap<>(Method.class);
    for (Method method : Method.values()) {
      errors.put(method, RelativeErrors.of(method.fit(fitted, allReduce), tested));
    }
    return new HoldOut(places.size(), held, errors);
  }

  private static List<List<Integer>> places(List<StepTime> times) {
    return new ArrayList<>(
        times.stream().sorted(StepTime.ORDER).map(HoldOut::place).distinct().toList());
  }

  private static List<Integer> place(StepTime time) {
    return List.of(time.workers(), time.servers(), time.mostOnOne());
  }
}
