package io.ringmaster.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * One measured value.
 *
 * @param name with its unit, as in the range file
 */
record Measure(String name, int jobs, String policy, double value) {

  /** All measures of one policy on one workload. */
  static List<Measure> of(int jobs, String policy, EndToEnd whole, Loop loop) {
    return List.of(
        new Measure("cpu_s", jobs, policy, whole.cpuSeconds()),
        new Measure("wall_s", jobs, policy, whole.wallSeconds()),
        new Measure("peak_memory_bytes", jobs, policy, whole.peakMemoryBytes()),
        new Measure("events", jobs, policy, whole.events()),
        new Measure("running_jobs", jobs, policy, loop.running()),
        new Measure("loop_cpu_s", jobs, policy, loop.cpuSeconds()),
        new Measure("loop_events_per_s", jobs, policy, loop.eventsPerSecond()),
        new Measure("floor_cpu_s", jobs, policy, loop.floorSeconds()),
        new Measure("loop_over_floor", jobs, policy, loop.overFloor()));
  }

  /** A run that took too long is above every range. */
  static List<Measure> givenUp(int jobs, String policy) {
    return List.of(
        new Measure("cpu_s", jobs, policy, Double.POSITIVE_INFINITY),
        new Measure("loop_over_floor", jobs, policy, Double.POSITIVE_INFINITY));
  }

  /** How CPU time grows from one number of jobs to another, as an exponent: 1 is linear. */
  static List<Measure> growth(List<Measure> all, int fromJobs, int toJobs) {
    List<Measure> growth = new ArrayList<>();
    for (Measure to : all) {
      if (to.jobs != toJobs || !(to.name.equals("cpu_s") || to.name.equals("loop_cpu_s"))) {
        continue;
      }
      for (Measure from : all) {
        if (from.jobs == fromJobs && from.name.equals(to.name) && from.policy.equals(to.policy)) {
          double exponent = Math.log(to.value / from.value) / Math.log((double) toJobs / fromJobs);
          growth.add(new Measure(to.name + "_growth_exponent", toJobs, to.policy, exponent));
        }
      }
    }
    return growth;
  }
}
