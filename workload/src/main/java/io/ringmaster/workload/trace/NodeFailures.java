package io.ringmaster.workload.trace;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * How often servers failed, by the jobs that ended so. Jobs that end so within a minute and share a
 * server tell of one failure.
 */
final class NodeFailures {
  private static final long AT_ONCE_SECONDS = 60;
  private static final double SECONDS_PER_THOUSAND_DAYS = 1000 * 86400.0;

  private final Map<Long, Set<String>> serversByMinute = new HashMap<>();
  private int jobs;
  private int failures;

  /** A job ended because a server of it failed. */
  void ended(List<String> servers, long endSeconds) {
    jobs++;
    long minute = endSeconds / AT_ONCE_SECONDS;
    Set<String> now = serversByMinute.computeIfAbsent(minute, _ -> new HashSet<>());
    Set<String> before = serversByMinute.getOrDefault(minute - 1, Set.of());
    if (servers.stream().noneMatch(s -> now.contains(s) || before.contains(s))) {
      failures++;
    }
    now.addAll(servers);
  }

  boolean any() {
    return jobs > 0;
  }

  /**
   * What it comes to, in a sentence.
   *
   * @param busySeconds in which jobs were on servers, summed over these
   */
  String note(double busySeconds) {
    double rate = failures * SECONDS_PER_THOUSAND_DAYS / busySeconds;
    return String.format(
        Locale.ROOT,
        "%,d %s with NODE_FAIL, which tell of %,d %s in %,.0f days of servers with jobs: %.2g for"
            + " each thousand. In a cluster file: failures: {node: %.2g/1000d}; in whatif:"
            + " --failures %.2g",
        jobs,
        jobs == 1 ? "job ended" : "jobs ended",
        failures,
        failures == 1 ? "failure" : "failures",
        busySeconds / 86400,
        rate,
        rate,
        rate);
  }
}
