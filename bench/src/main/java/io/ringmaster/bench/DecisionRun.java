package io.ringmaster.bench;

import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How long single decisions take while a very long queue waits: at least 10,000 jobs on a cluster
 * of 10,000 GPUs where jobs come much faster than they can be done. The first decisions, which the
 * compiler still works on, count too.
 */
final class DecisionRun {
  private static final int SERVERS = 1250;
  private static final int JOBS = 60_000;
  private static final int WAITING = 10_000;
  private static final int MOST = 100_000;
  private static final int BETWEEN_COUNTS = 100;

  private DecisionRun() {}

  /** Measures decisions while enough jobs wait. */
  private static final class Watch implements Policy {
    private final Policy policy;
    private final long[] nanos = new long[MOST];
    private int count;
    private int waiting;
    private int asked;

    Watch(Policy policy) {
      this.policy = policy;
    }

    @Override
    public void decide(View view, Decisions decisions) {
      int freeBefore = view.free().total();
      long start = System.nanoTime();
      policy.decide(view, decisions);
      long took = System.nanoTime() - start;
      boolean busy = freeBefore < view.cluster().totalGpus();
      if (busy && waiting(view) >= WAITING && count < MOST) {
        nanos[count++] = took;
      }
    }

    /** As of the last time that they were counted. */
    private int waiting(View view) {
      if (asked++ % BETWEEN_COUNTS != 0) {
        return waiting;
      }
      int now = 0;
      for (int job = 0; job < JOBS; job++) {
        now += view.waiting(job) ? 1 : 0;
      }
      waiting = now;
      return now;
    }
  }

  /** Policies to measure; none: maestro and srsf. */
  public static void main(String[] args) {
    Generated workload =
        Generators.generate(
            "philly",
            Map.of("jobs", "" + JOBS, "servers", "" + SERVERS, "load", "50", "longest", "4"),
            Workloads.SEED);
    for (String name : args.length == 0 ? List.of("maestro", "srsf") : List.of(args)) {
      PolicySpec spec = Policies.named(name);
      Settings settings = spec.settings(Map.of());
      Watch watch = new Watch(spec.create(settings, workload.cluster()));
      new Simulation(
              workload.cluster(),
              workload.jobs(),
              name,
              watch,
              spec.estimate(settings),
              Workloads.SEED,
              RunObserver.NONE)
          .run();
      long[] sorted = Arrays.copyOf(watch.nanos, watch.count);
      Arrays.sort(sorted);
      System.out.printf(
          "%s: %,d decisions with at least %,d waiting: median %.3f ms, 99 %% %.3f ms, longest %.1f"
              + " ms%n",
          name,
          sorted.length,
          WAITING,
          milliseconds(sorted, 0.5),
          milliseconds(sorted, 0.99),
          milliseconds(sorted, 1));
    }
  }

  private static double milliseconds(long[] sorted, double share) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.min(sorted.length - 1.0, share * sorted.length)] / 1e6;
  }
}
