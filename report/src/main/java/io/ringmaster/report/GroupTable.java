package io.ringmaster.report;

import io.ringmaster.model.collect.Ranks;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** How jobs of one kind fared: of one size, or of one user. */
@NamedAsDeclared
final class GroupTable {
  private GroupTable() {}

  /** Jobs of one size class or one user. */
  record Group(
      String label,
      int jobs,
      double gpuHours,
      double jctMean,
      double jctP95,
      double waitMean,
      double waitP95,
      double slowdownMean,
      long restarts) {}

  /** A table of groups that have jobs, in the order of their labels. */
  static List<Group> of(JobOutcomes outcomes, List<String> labels, IntUnaryOperator groupOf) {
    int n = outcomes.size();
    int groups = labels.size();
    int[] group = new int[n];
    int[] from = new int[groups + 1];
    for (int job = 0; job < n; job++) {
      group[job] = groupOf.applyAsInt(job);
      from[group[job] + 1]++;
    }
    for (int g = 0; g < groups; g++) {
      from[g + 1] += from[g];
    }
    double[] jct = new double[n];
    double[] wait = new double[n];
    double[] gpuSeconds = new double[groups];
    double[] slowdowns = new double[groups];
    long[] restarts = new long[groups];
    int[] next = from.clone();
    for (int job = 0; job < n; job++) {
      int g = group[job];
      int at = next[g]++;
      jct[at] = outcomes.jct(job);
      wait[at] = outcomes.wait(job);
      gpuSeconds[g] += outcomes.gpuSeconds(job);
      slowdowns[g] += outcomes.slowdown(job);
      restarts[g] += outcomes.restarts(job);
    }
    List<Group> rows = new ArrayList<>();
    for (int g = 0; g < groups; g++) {
      int first = from[g];
      int end = from[g + 1];
      int count = end - first;
      if (count > 0) {
        rows.add(
            new Group(
                labels.get(g),
                count,
                gpuSeconds[g] / 3600,
                mean(jct, first, end),
                p95(jct, first, end),
                mean(wait, first, end),
                p95(wait, first, end),
                slowdowns[g] / count,
                restarts[g]));
      }
    }
    return rows;
  }

  private static double mean(double[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    return sum / (to - from);
  }

  private static double p95(double[] values, int from, int to) {
    return Ranks.at(values, from, to, Math.min(to - from - 1, (int) (0.95 * (to - from))))[0];
  }
}
