package io.ringmaster.advise;

import io.ringmaster.model.BadInput;
import io.ringmaster.runs.Parallel;
import io.ringmaster.workload.Draws;
import io.ringmaster.workload.trace.SeenJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;

/**
 * How often the truth was within what would have been said: at moments of a history starts are
 * forecast from what was known then, corrected by how the forecasts before did, and compared with
 * what came.
 */
public final class Check {
  private static final List<Double> SHARES =
      List.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95);

  /** Before this share of a history little is known. */
  private static final double LEARNING = 0.25;

  /**
   * After this share too few jobs are still to come: those that overtook others are not told of.
   */
  private static final double ENOUGH_TO_COME = 0.85;

  /** Jobs of one moment share its fate: more of them tell little more. */
  private static final int JOBS_OF_A_MOMENT = 10;

  private static final int TRIES = 100;

  /** The latest forecasts before a moment teach most. */
  private static final int MOST_LEARNT_FROM = 300;

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
   * @param openEnds forecasts of which what holds 8 of 10 has no upper end
   * @param leftOut forecasts of jobs that started when nobody came any more, as on no site
   * @param widthSeconds the median width of what holds 8 of 10, of those that have an upper end
   * @param errorSeconds the median distance of the median from the truth
   * @param waitSeconds the median of what was still to be waited in truth
   */
  public record Coverage(
      int moments,
      int forecasts,
      int openEnds,
      int leftOut,
      List<Level> levels,
      double widthSeconds,
      double errorSeconds,
      double waitSeconds) {}

  /** A forecast as it was made, and the truth, in seconds from the moment. */
  record Made(
      int moment, double atSeconds, Spread forecast, double openShare, double truthSeconds) {
    boolean holds(Spread said, double share) {
      return truthSeconds >= said.low(share) - ROUNDING_SECONDS
          && (isOpen(share) || truthSeconds <= said.high(share) + ROUNDING_SECONDS);
    }

    boolean isOpen(double share) {
      return Advice.Start.isOpen(openShare, share);
    }
  }

  /** What was said in the end, and what it was made of. */
  private record Said(Made made, Spread spread) {
    boolean holds(double share) {
      return made.holds(spread, share);
    }
  }

  /** Checks at so many moments, drawn by a seed. */
  public Coverage coverage(int moments, int draws, long seed, int threads, LongConsumer progress) {
    DoubleSummaryStatistics came =
        jobs.stream().mapToDouble(SeenJob::submitSeconds).summaryStatistics();
    double until = came.getMin() + ENOUGH_TO_COME * (came.getMax() - came.getMin());
    List<Made> all = made(until, moments, draws, seed, threads, progress);
    List<Made> made =
        all.stream().filter(each -> each.atSeconds + each.truthSeconds <= came.getMax()).toList();
    if (made.isEmpty()) {
      throw new BadInput(
          "the history tells of no job that waited and then started, so nothing can be checked");
    }
    return said(made, all.size() - made.size());
  }

  /** What comes of forecasts that are each corrected by those before it. */
  static Coverage said(List<Made> made, int leftOut) {
    Map<Double, Correction> corrections = new HashMap<>();
    List<Said> said = new ArrayList<>();
    for (Made each : made) {
      Correction correction =
          corrections.computeIfAbsent(each.atSeconds, at -> correction(made, at));
      said.add(new Said(each, correction.of(each.forecast)));
    }
    List<Said> closed =
        said.stream().filter(each -> !each.made.isOpen(Advice.Start.SHARE)).toList();
    return new Coverage(
        corrections.size(),
        said.size(),
        said.size() - closed.size(),
        leftOut,
        SHARES.stream().map(share -> level(share, said)).toList(),
        median(closed, each -> each.spread.high(0.8) - each.spread.low(0.8)),
        median(said, each -> Math.abs(each.spread.median() - each.made.truthSeconds)),
        median(said, each -> each.made.truthSeconds));
  }

  /** What forecasts before a moment teach for those at it. */
  public Correction correction(double nowSeconds, int moments, int draws, long seed, int threads) {
    return correction(made(nowSeconds, moments, draws, seed, threads, _ -> {}), nowSeconds);
  }

  private static Correction correction(List<Made> made, double nowSeconds) {
    Map<Integer, Integer> counts = new HashMap<>();
    List<Made> before =
        made.stream()
            .filter(each -> each.atSeconds < nowSeconds && !each.isOpen(Advice.Start.SHARE))
            .sorted(Comparator.comparingDouble((Made each) -> -each.atSeconds))
            .limit(MOST_LEARNT_FROM)
            .toList();
    before.forEach(each -> counts.merge(each.moment, 1, Integer::sum));
    return new Correction(
        before.stream()
            .map(each ->
                new Correction.Tested(
                    each.moment,
                    each.forecast,
                    known(each, nowSeconds - each.atSeconds),
                    1.0 / counts.getOrDefault(each.moment, 1)))
            .toList());
  }

  /** The truth, or, of a job that has not started since, the middle of what was said beyond. */
  private static double known(Made each, double sinceSeconds) {
    if (each.truthSeconds <= sinceSeconds) {
      return each.truthSeconds;
    }
    double[] later =
        Arrays.stream(each.forecast.values()).filter(start -> start > sinceSeconds).toArray();
    return later.length == 0 ? sinceSeconds : later[later.length / 2];
  }

  List<Made> made(
      double untilSeconds, int moments, int draws, long seed, int threads, LongConsumer progress) {
    List<Double> times = times(untilSeconds, moments, seed);
    return Parallel.map(
            times.size(), threads, progress, i -> made(i, times.get(i), draws, seed + i))
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  private static double median(List<Said> said, ToDoubleFunction<Said> figure) {
    return said.isEmpty()
        ? Double.NaN
        : Spread.of(said.stream().mapToDouble(figure).toArray()).median();
  }

  /** Moments at which somebody waits who starts in the end. */
  List<Double> times(double last, int moments, long seed) {
    double first = jobs.stream().mapToDouble(SeenJob::submitSeconds).min().orElse(0);
    double from = first + LEARNING * (last - first);
    List<SeenJob> waited =
        jobs.stream()
            .filter(job -> job.startSeconds() > Math.max(from, job.submitSeconds()))
            .toList();
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

  List<Made> made(int moment, double at, int draws, long seed) {
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
      int one = chance.below(asked.size());
      asked.subList(one, one + 1).clear();
    }
    Outlook outlook = new Outlook(queue, draws, seed, 1);
    String name = policy.orElseGet(() -> InOrder.likely(queue.ended()));
    Variant present = outlook.under(name);
    List<double[]> rows = outlook.starts(present, draws, 1, _ -> {});
    return asked.stream()
        .map(job ->
            new Made(
                moment,
                at,
                Outlook.ofJob(rows, job),
                outlook.openShare(present, rows, job),
                truth.getOrDefault(queue.waiting().get(job).id(), Double.NaN)))
        .toList();
  }

  private static Level level(double share, List<Said> said) {
    Map<Integer, int[]> byMoment = new HashMap<>();
    for (Said each : said) {
      int[] counts = byMoment.computeIfAbsent(each.made.moment, _ -> new int[2]);
      counts[0] += each.holds(share) ? 1 : 0;
      counts[1]++;
    }
    double held = said.stream().filter(each -> each.holds(share)).count() / (double) said.size();
    double squares =
        byMoment.values().stream()
            .mapToDouble(counts -> Math.pow(counts[0] - held * counts[1], 2))
            .sum();
    return new Level(share, held, Math.sqrt(squares) / said.size());
  }
}
