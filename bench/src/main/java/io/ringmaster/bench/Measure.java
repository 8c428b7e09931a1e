package io.ringmaster.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One measured value.
 *
 * @param name with its unit, as in the range file
 */
record Measure(String name, int jobs, String policy, Spread spread) {

  double value() {
    return spread.middle();
  }

  /** All measures of one policy on one workload. */
  static List<Measure> of(int jobs, String policy, List<EndToEnd> whole, Loop loop) {
    double[] cpu = each(whole, EndToEnd::cpuSeconds);
    double[] kernel = each(whole, EndToEnd::kernelSeconds);
    return List.of(
        new Measure("cpu_s", jobs, policy, Spread.of(cpu)),
        new Measure("kernel_cpu_s", jobs, policy, Spread.of(kernel)),
        new Measure("cpu_over_kernel", jobs, policy, Spread.ratio(cpu, kernel)),
        new Measure("wall_s", jobs, policy, Spread.of(each(whole, EndToEnd::wallSeconds))),
        new Measure(
            "peak_memory_bytes", jobs, policy, Spread.of(each(whole, EndToEnd::peakMemoryBytes))),
        new Measure("events", jobs, policy, Spread.of((double) loop.events())),
        new Measure("running_jobs", jobs, policy, Spread.of(loop.running())),
        new Measure("loop_cpu_s", jobs, policy, Spread.of(loop.cpuSeconds())),
        new Measure(
            "loop_events_per_s",
            jobs,
            policy,
            Spread.of(loop.events() / Spread.of(loop.cpuSeconds()).middle())),
        new Measure("floor_cpu_s", jobs, policy, Spread.of(loop.floorSeconds())),
        new Measure(
            "loop_over_floor", jobs, policy, Spread.ratio(loop.cpuSeconds(), loop.floorSeconds())));
  }

  private static double[] each(List<EndToEnd> whole, ToDoubleFunction<EndToEnd> value) {
    return whole.stream().mapToDouble(value).toArray();
  }

  /** A run that took too long is above every range, for certain. */
  static List<Measure> givenUp(int jobs, String policy) {
    double endless = Double.POSITIVE_INFINITY;
    Spread never = new Spread(endless, endless, endless);
    return List.of(
        new Measure("cpu_over_kernel", jobs, policy, never),
        new Measure("loop_over_floor", jobs, policy, never));
  }

  /** How CPU time grows from one number of jobs to another, as an exponent: 1 is linear. */
  static List<Measure> growth(List<Measure> all, int fromJobs, int toJobs) {
    List<Measure> growth = new ArrayList<>();
    for (Measure to : all) {
      if (to.jobs != toJobs
          || !(to.name.equals("cpu_over_kernel") || to.name.equals("loop_cpu_s"))) {
        continue;
      }
      for (Measure from : all) {
        if (from.jobs == fromJobs && from.name.equals(to.name) && from.policy.equals(to.policy)) {
          double times = Math.log((double) toJobs / fromJobs);
          Spread exponent =
              new Spread(
                  Math.log(to.value() / from.value()) / times,
                  Math.log(to.spread.low() / from.spread.high()) / times,
                  Math.log(to.spread.high() / from.spread.low()) / times);
          growth.add(new Measure(to.name + "_growth_exponent", toJobs, to.policy, exponent));
        }
      }
    }
    return growth;
  }
}
