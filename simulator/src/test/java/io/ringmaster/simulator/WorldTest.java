package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Failures;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.KindSpeeds;
import io.ringmaster.model.Maintenance;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.model.Where;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything at once: racks and pods, kinds of GPU, CPUs, servers, racks and jobs that fail and are
 * repaired in times that vary, maintenance, checkpoints that take time, jobs that cannot resume,
 * rigid and elastic jobs, under every network in which rings feel each other.
 */
class WorldTest {
  private static final double THOUSAND_DAYS = 1000 * 86400.0;
  private static final List<String> MODELS = List.of("", "vgg16", "resnet50", "bert-large");
  private static final List<String> KINDS = List.of("a100", "v100");
  private static final List<String> WHERES = List.of("", "a100", "a100|v100", "v100+a100");
  private static final List<String> SPEEDS = List.of("", "a100:2", "v100:0.4");

  @ParameterizedTest
  @MethodSource("io.ringmaster.simulator.PolicyVariants#all")
  void everyPolicyEndsAllJobsAndTheScheduleIsValid(PolicyVariants variant) {
    Seeds.each(
        4,
        (random, seed) -> {
          Cluster cluster = cluster(random, seed);
          Jobs jobs = jobs(random, cluster, 16, seed % 2 == 0);
          Segments rows = new Segments();
          RunResult run = Runs.run(cluster, jobs, variant.policy(), seed, rows, variant.given());
          assertThat(run.finished()).isEqualTo(jobs.size());
          Validator.Checked checked = Validator.checked(cluster, jobs, run.lengths(), rows, run);
          assertThat(checked.findings()).isEmpty();
          assertThat(checked.lostGpuSeconds()).isCloseTo(run.lostGpuSeconds(), within(1e-3));
          Summary summary = Runs.summary(cluster, jobs, run);
          LowerBounds bounds = Runs.bounds(jobs, cluster);
          assertThat(summary.jctMeanSeconds())
              .isGreaterThanOrEqualTo(bounds.meanJctSeconds() - 1e-6);
          assertThat(summary.makespanSeconds())
              .isGreaterThanOrEqualTo(bounds.makespanSeconds() - 1e-6);
        });
  }

  private static Cluster cluster(RandomGenerator random, long seed) {
    List<Server> servers = new ArrayList<>();
    List<Rack> racks = new ArrayList<>();
    for (int r = 0; r < 4; r++) {
      racks.add(new Rack("r" + r, uplink(random), new Pod("p" + r / 2, 20e9 / 8)));
      for (int s = random.nextInt(1, 4); s > 0; s--) {
        int gpus = random.nextInt(2, 7);
        String kind = KINDS.get(random.nextInt(2));
        servers.add(
            new Server(Cluster.serverName(servers.size()), gpus, kind, "r" + r, 1.25e9, 12.5e9)
                .limited(gpus, random.nextInt(2, 5) * gpus, Double.POSITIVE_INFINITY));
      }
    }
    Network network = Workloads.sharing(random, seed);
    Failures failures =
        new Failures(THOUSAND_DAYS / random.nextInt(1000, 4000), 40, 20_000, 10_000, true);
    Maintenance planned =
        new Maintenance(servers.getFirst().name(), false, random.nextInt(300), 30, 20);
    return new Cluster("world", servers, racks, network, 5).failing(failures, List.of(planned));
  }

  private static double uplink(RandomGenerator random) {
    return random.nextInt(4, 20) * 1e9 / 8;
  }

  private static Jobs jobs(RandomGenerator random, Cluster cluster, int count, boolean elastic) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    while (builder.size() < count) {
      String where = WHERES.get(random.nextInt(WHERES.size()));
      String speeds = SPEEDS.get(random.nextInt(SPEEDS.size()));
      Where kinds = where.isEmpty() ? Where.ANY : Where.parse(where);
      Where asked = !speeds.isEmpty() && where.isEmpty() ? Where.ONE_KIND : kinds;
      Demand demand = new Demand(random.nextInt(3), 0);
      int most = cluster.countingKinds().mostWorkers(demand.on(asked));
      if (most == 0) {
        continue;
      }
      int gpus = random.nextInt(1, most + 1);
      boolean stretches = elastic && random.nextBoolean();
      builder
          .add(
              "j" + builder.size(),
              random.nextInt(200),
              gpus,
              stretches ? random.nextInt(1, gpus + 1) : gpus,
              stretches ? random.nextInt(gpus, 2 * gpus + 1) : gpus,
              1 + 100 * random.nextDouble(),
              true,
              MODELS.get(random.nextInt(MODELS.size())),
              "u" + random.nextInt(3),
              "")
          .asking(demand)
          .onKinds(kinds, speeds.isEmpty() ? KindSpeeds.NONE : KindSpeeds.parse(speeds));
      if (random.nextInt(4) == 0) {
        builder.notResumable();
      } else if (random.nextBoolean()) {
        builder.saving(random.nextInt(3, 20), random.nextInt(2));
      }
    }
    return builder.build();
  }
}
