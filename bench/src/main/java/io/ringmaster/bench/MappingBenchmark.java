package io.ringmaster.bench;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.EvenShares;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Placement;
import io.ringmaster.model.pipeline.Replicas;
import java.util.Arrays;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Replicas of a large pipeline go to servers of eight GPUs, some of them taken. */
@State(Scope.Benchmark)
public class MappingBenchmark extends ShortBenchmark {
  private static final int GPUS = 512;

  @Param({"8", "48"})
  String stages = "8";

  private final Cluster cluster =
      Cluster.uniform(2 * GPUS / 8, 8, Network.Contention.USUAL.sharing(Pipelining.STEADY), 0);
  private final EvenShares time = new EvenShares(cluster);
  private final ModelProfile model =
      Objects.requireNonNull(
          ModelTable.standard().profile(ModelTable.standard().indexOf("gpt2-xl")));
  private ModelProfile profile = model;
  private Placement placement = placement();

  @Setup
  public void cut() {
    profile = model.cut(Replicas.parse(stages, GPUS));
  }

  private static Placement placement() {
    int[] gpus = new int[2 * GPUS / 8];
    int left = GPUS;
    int used = 0;
    while (left > 0) {
      gpus[used] = Math.min(left, 8 - used % 7);
      left -= gpus[used];
      used++;
    }
    int[] servers = new int[used];
    Arrays.setAll(servers, i -> i);
    return Placement.of(servers, Arrays.copyOf(gpus, used));
  }

  @Benchmark
  public Placement heavyEdge() {
    return EvenShares.placed(profile, placement);
  }

  @Benchmark
  public Placement refined() {
    return time.refined(profile, placement);
  }
}
