package io.ringmaster.bench;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * SJF-BCO plans a batch and runs it: the paper's batch on 20 servers, several on as many times 20.
 */
@State(Scope.Benchmark)
public class PlanBenchmark extends ShortBenchmark {
  /** How many times the paper's 160 jobs and 20 servers. */
  @Param({"1", "13"})
  int batches;

  private Generated workload = batch(1);

  @Setup
  public void draw() {
    workload = batch(batches);
  }

  @Benchmark
  public RunResult planAndRun() {
    return Workloads.simulation(workload, "sjf-bco").run();
  }

  private static Generated batch(int count) {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    List<Server> servers = new ArrayList<>();
    for (int seed = 1; seed <= count; seed++) {
      Generated one = Generators.generate("sjf-bco", Map.of(), seed);
      for (int job = 0; job < one.jobs().size(); job++) {
        ModelProfile profile = Objects.requireNonNull(one.jobs().profile(job));
        String id = seed + "-" + one.jobs().id(job);
        jobs.addIterations(id, 0, one.jobs().gpus(job), one.jobs().work(job), profile.id());
      }
      for (Server each : one.cluster().servers()) {
        servers.add(
            new Server(
                Cluster.serverName(servers.size()),
                each.gpus(),
                each.gpu(),
                each.rack(),
                each.nicBytesPerSecond(),
                each.intraBytesPerSecond()));
      }
    }
    return new Generated(
        jobs.build(), new Cluster("batches", servers, Network.Contention.USUAL, 0));
  }
}
