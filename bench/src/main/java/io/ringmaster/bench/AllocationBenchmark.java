package io.ringmaster.bench;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.Network;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.slots.Allocation;
import io.ringmaster.workload.Draws;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The doubling heuristic says how many workers each job is to have; nothing is placed. */
@State(Scope.Benchmark)
public class AllocationBenchmark extends ShortBenchmark {
  private static final int MOST_WORKERS = 64;

  /** Jobs and GPUs. */
  @Param({"1000 10000", "10000 100000"})
  String size = "1000 10000";

  private List<Doubled> jobs = List.of();
  private Shares shares = shares(8);

  private record Doubled(FittedExchange exchange, double epochs) implements Allocation.Candidate {
    @Override
    public Demand demand() {
      return Demand.NONE;
    }

    @Override
    public int least() {
      return 1;
    }

    @Override
    public int next(int workers) {
      return workers < MOST_WORKERS ? 2 * workers : workers;
    }

    @Override
    public double seconds(int workers) {
      return epochs * exchange.together(1, exchange.insideSeconds(workers)) / workers;
    }
  }

  @Setup
  public void draw() {
    String[] parts = size.split(" ", -1);
    Draws draws = new Draws(Workloads.SEED, 0);
    jobs = IntStream.range(0, Integer.parseInt(parts[0])).mapToObj(_ -> doubled(draws)).toList();
    shares = shares(Integer.parseInt(parts[1]));
  }

  @Benchmark
  public int[] allocate() {
    return Allocation.of(jobs, shares, shares.holding());
  }

  private static Doubled doubled(Draws draws) {
    FittedExchange exchange =
        FittedExchange.anywhere(
            AllReduce.RING, 0.15 * draws.uniform(), draws.uniform(), 0.17 * draws.uniform());
    return new Doubled(exchange, 1 + 159 * draws.uniform());
  }

  private static Shares shares(int gpus) {
    return new Shares(Cluster.uniform(gpus / 8, 8, Network.None.USUAL, 0));
  }
}
