package io.ringmaster.report;

import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Two policies, job by job. A job's difference is its JCT under the second minus that under the
 * first: above 0 it ends sooner under the first.
 *
 * @param jctDifference the mean difference of each seed, and its mean and interval over seeds
 * @param sooner jobs that end sooner under the first
 * @param later jobs that end later under the first
 * @param soonerByGroup by grouping, then by group
 * @param laterByGroup by grouping, then by group
 * @param quantiles of the differences, at {@link #SHARES}
 * @param gains jobs that gain most under the first, the greatest gain first
 * @param losses jobs that lose most under the first, the greatest loss first
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Pair(
    Statistics jctDifference,
    int sooner,
    int later,
    int[][] soonerByGroup,
    int[][] laterByGroup,
    double[] quantiles,
    List<Member> gains,
    List<Member> losses) {

  /** Differences up to these are none: a second, or a millionth of the longer time. */
  static final double SAME_SECONDS = 1;

  static final double SAME_SHARE = 1e-6;

  /** Percents, and finer steps at both ends, where the jobs are that somebody will ask about. */
  static final double[] SHARES = shares();

  private static final int NAMED = 10;

  /** A job of a round. */
  record Member(int round, int job, double difference) {}

  private static double[] shares() {
    double[] tail = {0, 0.0001, 0.001, 0.002, 0.005};
    double[] shares = new double[99 + 2 * tail.length];
    for (int i = 0; i < tail.length; i++) {
      shares[i] = tail[i];
      shares[shares.length - 1 - i] = 1 - tail[i];
    }
    for (int percent = 1; percent <= 99; percent++) {
      shares[tail.length + percent - 1] = percent / 100.0;
    }
    return shares;
  }

  static Pair of(List<SeededJobs> rounds, List<Grouping> groupings, int first, int second) {
    int jobs = rounds.stream().mapToInt(r -> r.jobs().size()).sum();
    int[][] sooner = counts(groupings);
    int[][] later = counts(groupings);
    double[] differences = new double[jobs];
    double[] means = new double[rounds.size()];
    int at = 0;
    int allSooner = 0;
    int allLater = 0;
    for (int r = 0; r < means.length; r++) {
      double[] a = rounds.get(r).jctSeconds()[first];
      double[] b = rounds.get(r).jctSeconds()[second];
      double sum = 0;
      for (int job = 0; job < a.length; job++) {
        double difference = b[job] - a[job];
        differences[at++] = difference;
        sum += difference;
        int sign = sign(a[job], b[job]);
        if (sign != 0) {
          int[][] count = sign > 0 ? sooner : later;
          for (int g = 0; g < count.length; g++) {
            count[g][groupings.get(g).groupOf()[r][job]]++;
          }
          allSooner += sign > 0 ? 1 : 0;
          allLater += sign < 0 ? 1 : 0;
        }
      }
      means[r] = sum / a.length;
    }
    Arrays.sort(differences);
    return new Pair(
        Statistics.of(means),
        allSooner,
        allLater,
        sooner,
        later,
        Arrays.stream(SHARES).map(share -> Quantiles.at(differences, share)).toArray(),
        extremes(rounds, first, second, differences[Math.max(0, jobs - NAMED)], 1),
        extremes(rounds, first, second, differences[Math.min(jobs, NAMED) - 1], -1));
  }

  /** 1 if a is less, -1 if it is more, 0 if they are the same to the tolerance. */
  private static int sign(double a, double b) {
    double tolerance = Math.max(SAME_SECONDS, SAME_SHARE * Math.max(a, b));
    return Math.abs(b - a) <= tolerance ? 0 : b > a ? 1 : -1;
  }

  private static int[][] counts(List<Grouping> groupings) {
    return groupings.stream().map(g -> new int[g.size()]).toArray(int[][]::new);
  }

  /** The jobs whose difference is the greatest of one sign; of equal ones the earlier. */
  private static List<Member> extremes(
      List<SeededJobs> rounds, int first, int second, double threshold, int sign) {
    List<Member> members = new ArrayList<>();
    int atThreshold = 0;
    for (int r = 0; r < rounds.size(); r++) {
      double[] a = rounds.get(r).jctSeconds()[first];
      double[] b = rounds.get(r).jctSeconds()[second];
      for (int job = 0; job < a.length; job++) {
        double difference = b[job] - a[job];
        boolean equal = difference == threshold;
        if ((equal ? atThreshold < NAMED : sign * (difference - threshold) > 0)
            && sign(a[job], b[job]) == sign) {
          members.add(new Member(r, job, difference));
          atThreshold += equal ? 1 : 0;
        }
      }
    }
    // A stable sort: the earlier of equal ones stays in front.
    members.sort(Comparator.comparingDouble(m -> -sign * m.difference()));
    return members.subList(0, Math.min(NAMED, members.size()));
  }
}
