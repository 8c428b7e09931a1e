package io.ringmaster.bench;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.workload.Generated;

/**
 * The event loop alone, in this process: nothing is read or written, and the code is compiled.
 *
 * @param floorSeconds CPU time of {@link Floor} for as many events
 * @param running how many jobs ran at once, on average
 */
record Loop(double cpuSeconds, double floorSeconds, long events, double running) {
  private static final double WARM_UP_SECONDS = 1.5;
  private static final int WARM_UP_EVENTS = 2_000_000;

  double eventsPerSecond() {
    return events / cpuSeconds;
  }

  double overFloor() {
    return cpuSeconds / floorSeconds;
  }

  /** Gets the loop compiled, and the floor. */
  static void warmUp(Generated workload, String policy) {
    for (double spent = 0; spent < WARM_UP_SECONDS; ) {
      spent += Timed.once(Workloads.simulation(workload, policy)::run).cpuSeconds();
    }
    Timed.once(() -> new Floor(1000).run(WARM_UP_EVENTS));
  }

  static Loop measure(Generated workload, String policy) {
    Timed<RunResult> loop = Timed.cheapest(() -> Workloads.simulation(workload, policy)::run);
    long events = loop.result().events();
    double running = running(workload.jobs(), loop.result());
    Timed<Double> floor =
        Timed.cheapest(() -> {
          Floor heap = new Floor((int) running);
          return () -> heap.run(events);
        });
    return new Loop(loop.cpuSeconds(), floor.cpuSeconds(), events, running);
  }

  private static double running(Jobs jobs, RunResult result) {
    double held = 0;
    double last = 0;
    for (int job = 0; job < jobs.size(); job++) {
      held += result.heldSeconds(job);
      last = Math.max(last, result.finishSeconds(job));
    }
    return held / (last - jobs.submitSeconds(0));
  }
}
