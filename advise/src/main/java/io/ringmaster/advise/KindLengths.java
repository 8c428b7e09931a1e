package io.ringmaster.advise;

import static io.ringmaster.advise.SeenLengths.log;

import io.ringmaster.workload.Draws;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs of a kind take, as far as those tell that have ended or still run.
 *
 * <p>Kinds go from all jobs to those of the same size, user, name, and all three. At each level the
 * lengths seen there stand beside what the wider level says, which weighs as much as a number of
 * jobs: with few jobs the wider kind decides, with many the narrow one does. That is the prediction
 * of a Dirichlet process whose base is the wider kind (Ferguson, Annals of Statistics 1(2), 1973).
 * The number is learnt for each level: how far the logarithms of lengths lie apart within its
 * kinds, over how far the kinds lie apart. Where a narrow kind tells nothing it is not asked. Below
 * all of them lies a distribution with a heavy tail, so that nothing is certain and no job is too
 * old to go on.
 *
 * <p>A job that has run for a while is drawn from what is longer than that, in the same
 * proportions.
 */
final class KindLengths {
  private static final double LEAST_WEIGHT = 1;
  private static final double MOST_WEIGHT = 1000;

  /** Levels up to here are narrow: what is drawn for one job tells of the next. */
  private static final int NARROW = 3;

  private static final int LEVELS = 5;

  /** Of everything, if nothing has ended. */
  private static final double USUAL_SECONDS = 3600;

  /** No job is expected to take longer; a month. */
  private static final double LONGEST_SECONDS = 30 * 86_400;

  private final Map<Object, SeenLengths> byKind = new HashMap<>();
  private final double middleSeconds;

  /** How much the next wider level weighs, from the narrowest to the widest. */
  private final double[] weights = new double[LEVELS];

  private record OfSize(int gpus) {}

  private record OfUser(String user) {}

  private record OfName(String user, String group) {}

  private record All() {}

  KindLengths(Queue queue) {
    List<Queue.Ended> ended = queue.ended();
    Map<Object, List<Double>> lengths = new HashMap<>();
    Map<Object, List<Double>> soFar = new HashMap<>();
    ended.forEach(job -> note(lengths, job.job().kind(), job.lengthSeconds()));
    queue.running().forEach(job -> note(soFar, job.job().kind(), job.elapsedSeconds()));
    Set<Object> kinds = new HashSet<>(lengths.keySet());
    kinds.addAll(soFar.keySet());
    for (Object kind : kinds) {
      byKind.put(kind, new SeenLengths(array(lengths.get(kind)), array(soFar.get(kind))));
    }
    double[] all = seen(new All()).ended();
    middleSeconds = all.length == 0 ? USUAL_SECONDS : Math.max(1, all[all.length / 2]);
    for (int level = 0; level < LEVELS; level++) {
      weights[level] = level == LEVELS - 1 ? LEAST_WEIGHT : weight(ended, level);
    }
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
    double within = 0;
    for (Queue.Ended job : ended) {
      List<Object> levels = levels(job.job().kind());
      double own = log(job.lengthSeconds()) - seen(levels.get(level)).meanLog();
      double[] sum = sums.computeIfAbsent(levels.get(level), _ -> new double[2]);
      sum[0] += log(job.lengthSeconds()) - seen(levels.get(level + 1)).meanLog();
      sum[1]++;
      within += own * own;
    }
    int freedom = ended.size() - sums.size();
    if (freedom <= 0) {
      return MOST_WEIGHT;
    }
    double variance = within / freedom;
    double between = 0;
    for (double[] sum : sums.values()) {
      between += sum[0] * sum[0] / sum[1] - variance;
    }
    between /= ended.size();
    return Math.clamp(between <= 0 ? MOST_WEIGHT : variance / between, LEAST_WEIGHT, MOST_WEIGHT);
  }

  /** From the narrowest to the widest. */
  private static List<Object> levels(Queue.Kind kind) {
    return List.of(
        kind,
        new OfName(kind.user(), kind.group()),
        new OfUser(kind.user()),
        new OfSize(kind.gpus()),
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

    Drawing(Draws chance) {
      this.chance = chance;
    }

    /** How much longer a job takes that has run so long: one of the lengths that may be. */
    double leftSeconds(Queue.Job job, double elapsedSeconds) {
      double length = length(levels(job.kind()), 0, elapsedSeconds);
      double end = Math.min(length, Math.max(LONGEST_SECONDS, 2 * elapsedSeconds));
      return Math.max(1, Math.min(end, job.limitSeconds()) - elapsedSeconds);
    }

    private double length(List<Object> levels, int level, double elapsed) {
      if (level == LEVELS) {
        return ofTail(elapsed, chance.uniform());
      }
      Object kind = levels.get(level);
      SeenLengths seen = seen(kind);
      List<Double> before = drawn.getOrDefault(kind, List.of());
      double[] longerBefore =
          before.stream().mapToDouble(d -> d).filter(d -> d > elapsed).toArray();
      double own = seen.longer(elapsed);
      double at =
          chance.uniform()
              * (own + longerBefore.length + weights[level] * share(levels, level + 1, elapsed));
      double length;
      if (at < own) {
        double found = seen.longer(elapsed, at / own);
        length =
            Double.isNaN(found)
                ? length(levels, level + 1, Math.max(elapsed, seen.longestRunning()))
                : found;
      } else if (at < own + longerBefore.length) {
        length = longerBefore[(int) (at - own)];
      } else {
        length = length(levels, level + 1, elapsed);
      }
      if (level < NARROW) {
        drawn.computeIfAbsent(kind, _ -> new ArrayList<>()).add(length);
      }
      return length;
    }
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

  /**
   * How wrong guesses are: the deviation of the logarithm of a length from the mean of those that
   * were known of its name before, or else of its user, or of all.
   */
  static double guessingError(List<Queue.Ended> ended) {
    Map<Object, double[]> sums = new HashMap<>();
    double squares = 0;
    int guesses = 0;
    for (Queue.Ended job :
        ended.stream().sorted(Comparator.comparingDouble(e -> e.job().submitSeconds())).toList()) {
      List<Object> levels = levels(job.job().kind());
      double length = log(job.lengthSeconds());
      for (Object known : List.of(levels.get(1), levels.get(2), levels.get(4))) {
        double[] sum = sums.get(known);
        if (sum != null) {
          squares += Math.pow(length - sum[0] / sum[1], 2);
          guesses++;
          break;
        }
      }
      for (Object level : levels) {
        double[] sum = sums.computeIfAbsent(level, _ -> new double[2]);
        sum[0] += length;
        sum[1]++;
      }
    }
    return guesses == 0 ? 1 : Math.sqrt(squares / guesses);
  }
}
