package io.ringmaster.bench;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.workload.Draws;
import io.ringmaster.workload.Generated;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** GADGET decides one slot: elastic jobs, all there at once, on servers of eight GPUs. */
@State(Scope.Benchmark)
public class SlotBenchmark extends ShortBenchmark {
  private static final List<String> MODELS =
      List.of("vgg16", "resnet50", "inception-v3", "lstm-ptb");
  private static final int[] MOST_WORKERS = {4, 8, 16, 32};

  /** Jobs, servers and solver. */
  @Param({"160 20 greedy", "160 20 lp", "1000 125 lp", "10000 1250 greedy"})
  String slot = "160 20 greedy";

  private String solver = "greedy";
  private Generated workload = draw(160, 20);

  @Setup
  public void draw() {
    String[] parts = slot.split(" ", -1);
    workload = draw(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    solver = parts[2];
  }

  @Benchmark
  public RunResult decide() {
    return Workloads.simulation(workload, "gadget", Map.of("solver", solver)).run(0);
  }

  private static Generated draw(int count, int servers) {
    Draws draws = new Draws(Workloads.SEED, 0);
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < count; i++) {
      int most = MOST_WORKERS[draws.below(MOST_WORKERS.length)];
      int asked = 1 + draws.below(most);
      double iterations = 2000 + draws.below(60_000);
      String model = MODELS.get(draws.below(MODELS.size()));
      jobs.add("j" + i, 0, asked, 1, most, iterations, false, model, "", "");
    }
    Network network = Network.Contention.USUAL.reserving(2e9 / 8);
    return new Generated(jobs.build(), Cluster.uniform(servers, 8, network, 10));
  }
}
