package io.ringmaster.workload.trace;

import io.ringmaster.workload.Numbers;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A partition as {@code scontrol show partition --oneliner} tells of it.
 *
 * @param tier jobs of a higher one go first, whatever their priority
 * @param mostSeconds that a job may run; infinite if there is no limit
 */
record SlurmPartition(String name, Set<String> nodes, double tier, double mostSeconds) {

  static List<SlurmPartition> read(String text) {
    return SlurmLines.of(text).stream()
        .filter(values -> values.containsKey("PartitionName"))
        .map(SlurmPartition::of)
        .toList();
  }

  private static SlurmPartition of(Map<String, String> values) {
    double tier = Numbers.parse(values.getOrDefault("PriorityTier", ""));
    return new SlurmPartition(
        values.getOrDefault("PartitionName", ""),
        nodes(values.getOrDefault("Nodes", "")),
        Double.isFinite(tier) ? tier : 1,
        seconds(values.getOrDefault("MaxTime", "")));
  }

  private static Set<String> nodes(String text) {
    try {
      return text.isEmpty() ? Set.of() : new HashSet<>(HostList.expand(text));
    } catch (IllegalArgumentException e) {
      return Set.of();
    }
  }

  private static double seconds(String text) {
    try {
      boolean isSpan = !text.isEmpty() && Character.isDigit(text.charAt(0));
      return isSpan ? (double) SlurmTime.span(text) : Double.POSITIVE_INFINITY;
    } catch (IllegalArgumentException e) {
      return Double.POSITIVE_INFINITY;
    }
  }
}
