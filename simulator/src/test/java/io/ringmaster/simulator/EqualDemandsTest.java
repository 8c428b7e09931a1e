package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.testing.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where every worker takes the same of CPUs and memory, and servers have that for all their GPUs or
 * more, GPUs alone decide: the schedule is that of a cluster that counts nothing else, to the bit.
 */
class EqualDemandsTest {
  private static final Demand EACH = new Demand(3, 5e9);

  @ParameterizedTest
  @MethodSource("io.ringmaster.simulator.PolicyVariants#all")
  void theScheduleIsThatWithoutDemands(PolicyVariants variant) {
    Seeds.each(
        12,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster plain = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          boolean elastic = seed % 4 < 2;
          long jobs = random.nextLong();
          String expected =
              schedule(
                  plain,
                  Workloads.mixed(new SplittableRandom(jobs), plain, 25, elastic),
                  variant,
                  seed);
          for (int plenty : new int[] {1, 100}) {
            Cluster limited = counting(plain, plenty);
            assertThat(limited.limitsMoreThanGpus()).isTrue();
            Jobs asking = Workloads.mixed(new SplittableRandom(jobs), plain, 25, elastic, EACH);
            assertThat(schedule(limited, asking, variant, seed))
                .as("%d times as much as all workers need", plenty)
                .isEqualTo(expected);
          }
        });
  }

  /** The same cluster, with so many times what its GPUs' workers need. */
  private static Cluster counting(Cluster plain, int plenty) {
    return new Cluster(
        plain.name(),
        plain.servers().stream()
            .map(s ->
                new Server(
                    s.name(),
                    s.gpus(),
                    s.gpu(),
                    s.rack(),
                    s.nicBytesPerSecond(),
                    s.intraBytesPerSecond(),
                    plenty * EACH.cpus() * s.gpus(),
                    plenty * EACH.memoryBytes() * s.gpus(),
                    s.gpuWatts()))
            .toList(),
        plain.network(),
        plain.restartSeconds());
  }

  private static String schedule(Cluster cluster, Jobs jobs, PolicyVariants variant, long seed) {
    StringBuilder rows = new StringBuilder();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void segment(
              int job, double start, double end, double warmup, Placement placement) {
            rows.append("%d %s %s %s %s%n".formatted(job, start, end, warmup, placement));
          }
        };
    Runs.run(cluster, jobs, variant.policy(), seed, observer, variant.given());
    return rows.toString();
  }
}
