package io.ringmaster.advise;

import io.ringmaster.model.BadInput;
import io.ringmaster.runs.Parallel;
import io.ringmaster.workload.Draws;
import io.ringmaster.workload.trace.SeenJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * How often the truth was within what would have been said: at moments of a history starts are
 * forecast from what was known then, and compared with what came.
 */
public final class Check {
  private static final List<Double> SHARES =
      List.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95);

  /** Before this share of a history little is known. */
  private static final double LEARNING = 0.25;

  /** Jobs of one moment share its fate: more of them tell little more. */
  private static final int JOBS_OF_A_MOMENT = 10;

  private static final int TRIES = 100;
  private static final int MOMENTS = 21;

  /** Clocks of histories count in seconds. */
  private static final double ROUNDING_SECONDS = 1;

  private final Site site;
  private final List<SeenJob> jobs;
  private final Optional<String> policy;

  /**
   * About to check.
   *
   * @param policy none: the one that the history seems to have had by then
   */
  public Check(Site site, Optional<String> policy) {
    this.site = site;
    this.jobs = site.jobs();
    this.policy = policy;
  }

  /**
   * A share that was stated, and the share of forecasts that held the truth.
   *
   * @param deviation of that share by chance, moments being independent of each other
   */
  public record Level(double stated, double held, double deviation) {}

  /**
   * What came out.
   *
   * @param widthSeconds the median width of what holds 8 of 10
   * @param errorSeconds the median distance of the median from the truth
   * @param waitSeconds the median of what was still to be waited in truth
   */
  public record Coverage(
      int moments,
      int forecasts,
      List<Level> levels,
      double widthSeconds,
      double errorSeconds,
      double waitSeconds) {}

  /** A forecast and the truth, in seconds from the moment. */
  record Tested(int moment, Spread forecast, double truthSeconds) {
    boolean isWithin(double share) {
      return truthSeconds >= forecast.low(share) - ROUNDING_SECONDS
          && truthSeconds <= forecast.high(share) + ROUNDING_SECONDS;
    }
  }

  /** Checks at so many moments, drawn by a seed. */
  public Coverage coverage(
      int moments, int draws, long seed, int threads, LongConsumer progress) {
    List<Double> times = times(moments, seed);
    if (times.isEmpty()) {
      throw new BadInput(
          "the history tells of no job that waited and then started, so nothing can be checked");
    }
    List<Tested> tested =
        Parallel.map(
                times.size(),
                threads,
                progress,
                i -> tested(i, times.get(i), draws, seed + i))
            .stream()
            .flatMap(List::stream)
            .toList();
    List<Level> levels = SHARES.stream().map(share -> level(share, tested)).toList();
    return new Coverage(
        times.size(),
        tested.size(),
        levels,
        median(tested.stream().mapToDouble(t -> t.forecast.high(0.8) - t.forecast.low(0.8)).toArray()),
        median(
            tested.stream()
                .mapToDouble(t -> Math.abs(t.forecast.median() - t.truthSeconds))
                .toArray()),
        median(tested.stream().mapToDouble(Tested::truthSeconds).toArray()));
  }

  private static double median(double[] values) {
    return Spread.of(values).median();
  }

  /** Moments at which somebody waits who starts in the end. */
  private List<Double> times(int moments, long seed) {
    double first = jobs.stream().mapToDouble(SeenJob::submitSeconds).min().orElse(0);
    double last = jobs.stream().mapToDouble(SeenJob::submitSeconds).max().orElse(0);
    double from = first + LEARNING * (last - first);
    List<SeenJob> waited =
        jobs.stream().filter(job -> job.startSeconds() > Math.max(from, job.submitSeconds())).toList();
    Draws chance = new Draws(seed, MOMENTS);
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < TRIES * moments && times.size() < moments; i++) {
      double at = from + (last - from) * chance.uniform();
      if (waited.stream().anyMatch(job -> isWaiting(job, at))) {
        times.add(at);
      }
    }
    return times;
  }

  private static boolean isWaiting(SeenJob job, double at) {
    return job.submitSeconds() <= at && job.startSeconds() > at;
  }

  private List<Tested> tested(int moment, double at, int draws, long seed) {
    Queue queue = site.at(at);
    Map<String, Double> truth = new HashMap<>();
    jobs.stream()
        .filter(job -> isWaiting(job, at))
        .forEach(job -> truth.put(job.id(), job.startSeconds() - at));
    List<Integer> asked = new ArrayList<>();
    for (int i = 0; i < queue.waiting().size(); i++) {
      if (truth.containsKey(queue.waiting().get(i).id())) {
        asked.add(i);
      }
    }
    Draws chance = new Draws(seed, MOMENTS + 1);
    while (asked.size() > JOBS_OF_A_MOMENT) {
      asked.remove(chance.below(asked.size()));
    }
    Outlook outlook = new Outlook(queue, draws, seed, 1);
    String name = policy.orElseGet(() -> InOrder.likely(queue.ended()));
    List<double[]> rows = outlook.starts(outlook.under(name), draws, 1, _ -> {});
    return asked.stream()
        .map(job ->
            new Tested(
                moment,
                Outlook.ofJob(rows, job),
                truth.getOrDefault(queue.waiting().get(job).id(), Double.NaN)))
        .toList();
  }

  private static Level level(double share, List<Tested> tested) {
    Map<Integer, int[]> byMoment = new HashMap<>();
    for (Tested each : tested) {
      int[] counts = byMoment.computeIfAbsent(each.moment, _ -> new int[2]);
      counts[0] += each.isWithin(share) ? 1 : 0;
      counts[1]++;
    }
    double held = tested.stream().filter(t -> t.isWithin(share)).count() / (double) tested.size();
    double squares =
        byMoment.values().stream()
            .mapToDouble(counts -> Math.pow(counts[0] - held * counts[1], 2))
            .sum();
    return new Level(share, held, Math.sqrt(squares) / tested.size());
  }
}
