package io.ringmaster.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** How jobs of one kind fared: of one size, or of one user. */
final class Groups {
  private Groups() {}

  /** A table of groups that have jobs, in the order of their labels. */
  static List<Map<String, Object>> of(Fared fared, List<String> labels, IntUnaryOperator groupOf) {
    int n = fared.size();
    int[] counts = new int[labels.size() + 1];
    for (int job = 0; job < n; job++) {
      counts[groupOf.applyAsInt(job) + 1]++;
    }
    Arrays.parallelPrefix(counts, Integer::sum);
    int[] members = new int[n];
    int[] next = counts.clone();
    for (int job = 0; job < n; job++) {
      members[next[groupOf.applyAsInt(job)]++] = job;
    }
    List<Map<String, Object>> groups = new ArrayList<>();
    for (int group = 0; group < labels.size(); group++) {
      if (counts[group + 1] > counts[group]) {
        int[] own = Arrays.copyOfRange(members, counts[group], counts[group + 1]);
        groups.add(row(labels.get(group), fared, own));
      }
    }
    return groups;
  }

  private static Map<String, Object> row(String label, Fared fared, int[] own) {
    double[] jct = Arrays.stream(own).mapToDouble(fared::jct).sorted().toArray();
    double[] wait = Arrays.stream(own).mapToDouble(fared::wait).sorted().toArray();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("label", label);
    row.put("jobs", own.length);
    row.put("gpuHours", Arrays.stream(own).mapToDouble(fared::gpuSeconds).sum() / 3600);
    row.put("jctMean", Arrays.stream(jct).sum() / own.length);
    row.put("jctP95", Quantiles.at(jct, 0.95));
    row.put("waitMean", Arrays.stream(wait).sum() / own.length);
    row.put("waitP95", Quantiles.at(wait, 0.95));
    row.put("slowdownMean", Arrays.stream(own).mapToDouble(fared::slowdown).sum() / own.length);
    row.put("restarts", Arrays.stream(own).map(fared::restarts).sum());
    return row;
  }
}
