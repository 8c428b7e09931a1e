package io.ringmaster.bench;

import io.ringmaster.simulator.RunResult;
import io.ringmaster.workload.Generated;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Warmup;

/** Time for each event of a run with the simplest policy. */
// So much code is not compiled in two seconds.
@Warmup(iterations = 6, time = 1)
public class EventLoopBenchmark extends ShortBenchmark {
  private static final int JOBS = 20_000;

  /** Under fifo every job arrives once and ends once. */
  private static final int EVENTS = 2 * JOBS;

  private final Generated workload = Workloads.overloaded(JOBS);

  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public RunResult event() {
    RunResult result = Workloads.simulation(workload, "fifo").run();
    if (result.events() != EVENTS) {
      throw new IllegalStateException(
          "the time is divided by %d events, and there were %d".formatted(EVENTS, result.events()));
    }
    return result;
  }
}
