package io.ringmaster.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.model.Where;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that may go to some servers only, and are cut in equal parts, whatever the policy. */
class WhereTest {
  private static Cluster cluster(RandomGenerator random) {
    List<Server> servers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Server server = Cluster.uniform(1, 4, Network.None.USUAL, 0).server(0).named("n" + i);
      servers.add(server.limited(4, 16, Double.POSITIVE_INFINITY).ofKind(i % 2 == 0 ? "a" : "b"));
    }
    return new Cluster("site", servers, Network.None.USUAL, random.nextInt(2));
  }

  /** One that the empty cluster holds: three servers of a kind at most. */
  private static Where where(RandomGenerator random) {
    Set<String> kinds = random.nextBoolean() ? Set.of() : Set.of(random.nextBoolean() ? "a" : "b");
    return new Where(kinds, random.nextInt(5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "easy", "srsf", "las"})
  void aJobIsOnlyWhereItMayBeAndCutAsItAsks(String policy) {
    Seeds.each(
        20,
        (random, seed) -> {
          Cluster cluster = cluster(random);
          JobsBuilder builder = Jobs.builder(ModelTable.standard());
          for (int i = 0; i < 40; i++) {
            Where where = where(random);
            int each = Math.max(1, where.perServer());
            int gpus = each * (1 + random.nextInt(where.perServer() == 0 ? 8 : 3));
            double length = 1 + random.nextInt(50);
            builder.add("j" + i, random.nextInt(60), gpus, gpus, gpus, length, true, "", "u", "g");
            builder.asking(new Demand(random.nextInt(4), 0).on(where));
          }
          Jobs jobs = builder.build();
          RunObserver look =
              new RunObserver() {
                @Override
                public void segment(
                    int job, double from, double to, double warmup, Placement placement) {
                  check(cluster, jobs.demand(job), placement);
                }
              };
          Run.of(policy, Map.of(), seed).simulation(new RunInputs(cluster, jobs), look).run();
        });
  }

  private static void check(Cluster cluster, Demand demand, Placement placement) {
    Where where = demand.where();
    IntStream.range(0, placement.size())
        .forEach(i -> {
          assertThat(where.allows(cluster.server(placement.server(i)))).isTrue();
          assertThat(placement.gpus(i))
              .isEqualTo(where.perServer() == 0 ? placement.gpus(i) : where.perServer());
        });
  }
}
