package io.ringmaster.bench;

import io.ringmaster.simulator.RunResult;
import io.ringmaster.workload.Generated;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time for each run of 5,000 jobs that queue up, and in the line {@code run:events} for each event
 * of it. What a policy's decisions cost is the difference to fifo's.
 */
// So much code is not compiled in two seconds.
@Warmup(iterations = 6, time = 1)
public class PolicyBenchmark extends ShortBenchmark {
  /** JMH wants a default; {@link Microbenchmarks} gives every policy there is. */
  @Param("fifo")
  public String policy = "";

  private final Generated workload = Workloads.overloaded(5000);

  /** JMH divides the time by it. */
  @AuxCounters
  @State(Scope.Thread)
  public static class Counters {
    public long events;
  }

  @Benchmark
  public RunResult run(Counters counters) {
    RunResult result = Workloads.simulation(workload, policy).run();
    counters.events += result.events();
    return result;
  }
}
