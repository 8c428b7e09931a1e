package io.ringmaster.advise;

import static io.ringmaster.advise.SeenLengths.log;

import io.ringmaster.workload.Draws;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs of a kind take, as far as those tell that have ended or still run.
 *
 * <p>Kinds go from all jobs to those about as large, as large, of the same user too, and of the
 * same name too. A kind lies within the next wider one: the many small jobs of a user say nothing
 * of the large ones, which make others wait. At each level the lengths seen there stand beside what
 * the wider level says, which weighs as much as a number of jobs: with few jobs the wider kind
 * decides, with many the narrow one does. That is the prediction of a Dirichlet process whose base
 * is the wider kind (Ferguson, Annals of Statistics 1(2), 1973). The number is learnt for each
 * level: how far the logarithms of lengths lie apart within its kinds, over how far the kinds lie
 * apart. Where a narrow kind tells nothing it is not asked. Below all of them lies a distribution
 * with a heavy tail, so that nothing is certain and no job is too old to go on.
 *
 * <p>A few lengths tell little of the next one: where n were seen it is drawn around one of them,
 * as far off as makes up for what n values miss of the spread of a kind, which is 2 / n of its
 * variance. Half of that is not knowing the middle of the kind, which its jobs of one future share.
 *
 * <p>A job that has run for a while is drawn from what is longer than that, in the same
 * proportions.
 */
final class KindLengths {
  private static final double LEAST_WEIGHT = 1;
  private static final double MOST_WEIGHT = 1000;

  /** Levels up to here are narrow: what is drawn for one job tells of the next. */
  private static final int NARROW = 3;

  private static final int LEVELS = 6;

  /** The level of jobs about as large. */
  private static final int CLASS = 4;

  /** Jobs are few that have so many GPUs or more: they count as about as large. */
  private static final int LARGE = 16;

  /** Of everything, if nothing has ended. */
  private static final double USUAL_SECONDS = 3600;

  /** No job is expected to take longer; a month. */
  private static final double LONGEST_SECONDS = 30 * 86_400;

  /** If so many jobs took as long as the longest, to a hundredth, the site ends them there. */
  private static final int AT_THE_WALL = 5;

  private static final double WALL_SHARE = 0.99;

  /** The spread of jobs about as large counts as much as so many jobs of a kind do. */
  private static final double KNOWN_SPREAD = 3;

  private static final int TRIES = 10;

  private final Map<Object, SeenLengths> byKind = new HashMap<>();
  private final double middleSeconds;
  private final double longestSeconds;

  /** The variance of logarithms within the kinds of a level, of jobs about as large. */
  private final List<Map<Object, Double>> variances = new ArrayList<>();

  /** How much the next wider level weighs, from the narrowest to the widest. */
  private final double[] weights = new double[LEVELS];

  private record OfSize(int gpus) {}

  private record AboutAsLarge(int log2) {}

  private record OfUser(String user, int gpus) {}

  /** Of any number of GPUs, which is 0, or where jobs have no name of as many. */
  private record OfName(String user, String group, int gpus) {}

  private record All() {}

  KindLengths(Queue queue) {
    List<Queue.Ended> ended = queue.ended();
    Map<Object, List<Double>> lengths = new HashMap<>();
    Map<Object, List<Double>> soFar = new HashMap<>();
    ended.forEach(job -> note(lengths, job.job().kind(), job.lengthSeconds()));
    queue.running().forEach(job -> note(soFar, job.job().kind(), job.elapsedSeconds()));
    queue.stopped().forEach(job -> note(soFar, job.job().kind(), job.elapsedSeconds()));
    Set<Object> kinds = new HashSet<>(lengths.keySet());
    kinds.addAll(soFar.keySet());
    for (Object kind : kinds) {
      byKind.put(kind, new SeenLengths(array(lengths.get(kind)), array(soFar.get(kind))));
    }
    double[] all = seen(new All()).ended();
    middleSeconds = all.length == 0 ? USUAL_SECONDS : Math.max(1, all[all.length / 2]);
    longestSeconds = wall(all);
    for (int level = 0; level < LEVELS - 1; level++) {
      weights[level] = weight(ended, level);
    }
    weights[LEVELS - 1] = LEAST_WEIGHT;
  }

  private static double wall(double[] sorted) {
    int n = sorted.length;
    return n >= AT_THE_WALL && sorted[n - AT_THE_WALL] >= WALL_SHARE * sorted[n - 1]
        ? sorted[n - 1]
        : LONGEST_SECONDS;
  }

  private static void note(Map<Object, List<Double>> lists, Queue.Kind kind, double seconds) {
    levels(kind)
        .forEach(level -> lists.computeIfAbsent(level, _ -> new ArrayList<>()).add(seconds));
  }

  private static double[] array(@Nullable List<Double> list) {
    return list == null ? new double[0] : list.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private SeenLengths seen(Object kind) {
    return byKind.getOrDefault(kind, SeenLengths.NONE);
  }

  /** The variance within the kinds of a level, over that of the kinds around the wider ones. */
  private double weight(List<Queue.Ended> ended, int level) {
    Map<Object, double[]> sums = new HashMap<>();
    Map<Object, double[]> byClass = new HashMap<>();
    double within = 0;
    for (Queue.Ended job : ended) {
      List<Object> levels = levels(job.job().kind());
      double own = log(job.lengthSeconds()) - seen(levels.get(level)).meanLog();
      double[] sum = sums.computeIfAbsent(levels.get(level), _ -> new double[2]);
      sum[0] += log(job.lengthSeconds()) - seen(levels.get(level + 1)).meanLog();
      double[] ofClass = byClass.computeIfAbsent(levels.get(CLASS), _ -> new double[2]);
      ofClass[1] += sum[1]++ == 0 ? 0 : 1;
      ofClass[0] += own * own;
      within += own * own;
    }
    int freedom = ended.size() - sums.size();
    double pooled = within / Math.max(1, freedom);
    Map<Object, Double> variances = new HashMap<>();
    byClass.forEach((kind, ofClass) ->
        variances.put(kind, (ofClass[0] + KNOWN_SPREAD * pooled) / (ofClass[1] + KNOWN_SPREAD)));
    this.variances.add(variances);
    if (freedom <= 0) {
      return MOST_WEIGHT;
    }
    double between = 0;
    for (double[] sum : sums.values()) {
      between += sum[0] * sum[0] / sum[1] - pooled;
    }
    between /= ended.size();
    return Math.clamp(between <= 0 ? MOST_WEIGHT : pooled / between, LEAST_WEIGHT, MOST_WEIGHT);
  }

  /** From the narrowest to the widest. */
  private static List<Object> levels(Queue.Kind kind) {
    return List.of(
        kind,
        new OfName(kind.user(), kind.group(), kind.group().isEmpty() ? kind.gpus() : 0),
        new OfUser(kind.user(), kind.gpus()),
        new OfSize(kind.gpus()),
        new AboutAsLarge(31 - Integer.numberOfLeadingZeros(Math.min(LARGE, kind.gpus()))),
        new All());
  }

  /**
   * Draws the lengths of one future, one after the other. Nobody knows how long the jobs of a new
   * kind are, but if one is long the others are: what was drawn counts as seen for those that
   * follow.
   */
  final class Drawing {
    private final Draws chance;
    private final Map<Object, List<Double>> drawn = new HashMap<>();
    private final Map<Object, Double> offMiddle = new HashMap<>();

    Drawing(Draws chance) {
      this.chance = chance;
    }

    /** How much longer a job takes that has run so long: one of the lengths that may be. */
    double leftSeconds(Queue.Job job, double elapsedSeconds) {
      double length = length(levels(job.kind()), 0, elapsedSeconds);
      double most = elapsedSeconds < longestSeconds ? longestSeconds : 2 * elapsedSeconds;
      double end = Math.min(length, most);
      return Math.max(1, Math.min(end, job.limitSeconds()) - elapsedSeconds);
    }

    private double length(List<Object> levels, int level, double elapsed) {
      if (level == LEVELS) {
        return ofTail(elapsed, chance.uniform());
      }
      Object kind = levels.get(level);
      SeenLengths seen = seen(kind);
      List<Double> before = drawn.getOrDefault(kind, List.of());
      // Of a job that has not begun all are longer; thousands of a kind may wait.
      List<Double> longerBefore =
          elapsed == 0 ? before : before.stream().filter(d -> d > elapsed).toList();
      double own = seen.longer(elapsed);
      double at =
          chance.uniform()
              * (own + longerBefore.size() + weights[level] * share(levels, level + 1, elapsed));
      double length;
      if (at < own) {
        double found = seen.longer(elapsed, at / own);
        length =
            Double.isNaN(found)
                ? length(levels, level + 1, Math.max(elapsed, seen.longestRunning()))
                : around(found, levels, level, elapsed);
      } else if (at < own + longerBefore.size()) {
        length = longerBefore.get((int) (at - own));
      } else {
        length = length(levels, level + 1, elapsed);
      }
      if (level < NARROW) {
        drawn.computeIfAbsent(kind, _ -> new ArrayList<>()).add(length);
      }
      return length;
    }

    /** Around a length that was seen; longer than the job has run. */
    private double around(double found, List<Object> levels, int level, double elapsed) {
      double deviation = deviation(levels, level);
      double middle = offMiddle.computeIfAbsent(levels.get(level), _ -> chance.normal());
      for (int i = 0; i < TRIES && deviation > 0; i++) {
        double length = found * StrictMath.exp(deviation * (middle + chance.normal()));
        if (length > elapsed) {
          return length;
        }
      }
      return found;
    }
  }

  /** How far a next length is off one that was seen, twice: once with all of its kind. */
  private double deviation(List<Object> levels, int level) {
    if (level == LEVELS - 1) {
      return 0;
    }
    SeenLengths seen = seen(levels.get(level));
    int n = seen.ended().length;
    double usual = variances.get(level).getOrDefault(levels.get(CLASS), 0.0);
    double variance = (seen.squaresLog() + KNOWN_SPREAD * usual) / (n - 1 + KNOWN_SPREAD);
    return Math.sqrt(variance / n);
  }

  /** The share of jobs that are longer, as a level and those wider than it have it. */
  private double share(List<Object> levels, int from, double elapsed) {
    double share = middleSeconds / (middleSeconds + elapsed);
    for (int level = LEVELS - 1; level >= from; level--) {
      SeenLengths seen = seen(levels.get(level));
      share = (seen.longer(elapsed) + weights[level] * share) / (seen.count() + weights[level]);
    }
    return share;
  }

  /** If nothing is known: half are above the middle, a third above twice of it. */
  private double ofTail(double elapsed, double uniform) {
    return (middleSeconds + elapsed) / (1 - uniform) - middleSeconds;
  }
}
