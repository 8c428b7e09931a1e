package io.ringmaster.bench;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.workload.Generated;
import java.util.ArrayList;
import java.util.List;

/** The event loop alone, in this process: nothing is read or written, and the code is compiled. */
final class Loop {
  private static final double WARM_UP_SECONDS = 1.5;
  private static final int WARM_UP_EVENTS = 2_000_000;

  /** Repeated runs end when they have taken so long: only short ones need it. */
  private static final double ENOUGH_SECONDS = 4;

  private final List<Double> cpuSeconds = new ArrayList<>();
  private final List<Double> floorSeconds = new ArrayList<>();
  private long events;
  private double running;

  private Loop() {}

  /** Of each run. */
  double[] cpuSeconds() {
    return cpuSeconds.stream().mapToDouble(d -> d).toArray();
  }

  /** Of {@link Floor} for as many events, right after each run. */
  double[] floorSeconds() {
    return floorSeconds.stream().mapToDouble(d -> d).toArray();
  }

  long events() {
    return events;
  }

  /** How many jobs ran at once, on average. */
  double running() {
    return running;
  }

  /** Gets the loop compiled, and the floor. */
  static void warmUp(Generated workload, String policy) {
    for (double spent = 0; spent < WARM_UP_SECONDS; ) {
      spent += Timed.once(Workloads.simulation(workload, policy)::run).cpuSeconds();
    }
    Timed.once(() -> new Floor(1000).run(WARM_UP_EVENTS));
  }

  static Loop measure(Generated workload, String policy, int pairs) {
    Loop all = new Loop();
    double spent = 0;
    while (all.cpuSeconds.size() < pairs && spent < ENOUGH_SECONDS) {
      Timed<RunResult> run = Timed.once(Workloads.simulation(workload, policy)::run);
      all.events = run.result().events();
      all.running = running(workload.jobs(), run.result());
      Floor heap = new Floor((int) all.running);
      Timed<Double> floor = Timed.once(() -> heap.run(all.events));
      all.cpuSeconds.add(run.cpuSeconds());
      all.floorSeconds.add(floor.cpuSeconds());
      spent += run.cpuSeconds() + floor.cpuSeconds();
    }
    return all;
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
