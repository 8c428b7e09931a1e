package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Server;
import io.ringmaster.model.pipeline.Replicas;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AsrptTest {
  private static final Network SHARE = Network.Contention.USUAL.sharing(Pipelining.STEADY);

  @Test
  void theGuaranteeHoldsInTheLiteralMode() {
    Seeds.each(
        3000,
        (random, _) -> {
          Cluster cluster = random(random);
          Jobs jobs = jobs(random, cluster, random.nextInt(1, 13));
          List<String> settings = new ArrayList<>(List.of("mode=literal"));
          settings.add("theta=" + List.of("auto", "1.1", "2", "inf").get(random.nextInt(4)));
          settings.add("tau=" + List.of("0", "0.25", "1").get(random.nextInt(3)));
          RunResult run = Runs.run(cluster, jobs, "a-srpt", settings.toArray(String[]::new));
          double guarantee = note(run, "guarantee");
          double ratio = note(run, "measured_ratio");
          assertThat(ratio).isBetween(1 - 1e-9, guarantee);
        });
  }

  /** What the run says of itself, worked out from its end alone. */
  @Test
  void theLiteralModeMeasuresItself() {
    Seeds.each(
        200,
        (random, _) -> {
          Cluster cluster = random(random);
          Jobs jobs = jobs(random, cluster, 8);
          RunResult run = Runs.run(cluster, jobs, "a-srpt", "mode=literal", "theta=inf");
          double sum = 0;
          double earliest = 0;
          LowerBounds bounds = Runs.bounds(jobs, cluster);
          for (int job = 0; job < jobs.size(); job++) {
            sum += run.finishSeconds(job);
            earliest += jobs.submitSeconds(job);
          }
          double alone = earliest + bounds.aloneJctSeconds() * jobs.size();
          double machine = earliest + bounds.oneMachineJctSeconds() * jobs.size();
          assertThat(note(run, "measured_ratio"))
              .isCloseTo(sum / Math.max(alone, machine), within(1e-6));
        });
  }

  /** With wrong lengths and no delay the guarantee counts how wrong they were. */
  @Test
  void theGuaranteeHoldsWithWrongLengths() {
    Seeds.each(
        300,
        (random, seed) -> {
          Cluster cluster = random(random);
          Jobs jobs = jobs(random, cluster, 10);
          RunResult run =
              Runs.run(
                  cluster,
                  jobs,
                  "a-srpt",
                  seed,
                  RunObserver.NONE,
                  "mode=literal",
                  "theta=inf",
                  "estimate=noise:0.5");
          assertThat(note(run, "measured_ratio")).isLessThan(note(run, "guarantee"));
        });
  }

  /** Every form of every policy makes valid schedules, on clusters of servers that differ. */
  @Test
  void schedulesAreValid() {
    List<List<String>> forms = new ArrayList<>();
    for (String mode : List.of("mode=reserve", "mode=literal", "bypass=free")) {
      forms.add(List.of("a-srpt", mode));
      forms.add(List.of("a-srpt", mode, "placement=random", "estimate=noise:1"));
    }
    for (String name : List.of("spjf", "spwf", "wcs-duration", "wcs-workload", "wcs-subtime")) {
      for (String placement : List.of("heavy-edge", "first-fit", "random")) {
        forms.add(List.of(name, "placement=" + placement));
        forms.add(List.of(name, "placement=" + placement, "reserve=true", "estimate=noise:0.7"));
      }
    }
    for (String name : List.of("fifo", "sjf", "longest-first")) {
      forms.add(List.of(name, "reserve=true"));
      forms.add(List.of(name, "reserve=true", "placement=any", "blocking=false"));
    }
    assertThat(Policies.all()).hasSizeGreaterThan(20);
    Seeds.each(
        60,
        (random, seed) -> {
          Network network = seed % 2 == 0 ? SHARE : Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, 0);
          Jobs jobs = jobs(random, cluster, 25);
          for (List<String> form : forms) {
            Segments segments = new Segments();
            String[] settings = form.subList(1, form.size()).toArray(String[]::new);
            RunResult run = Runs.run(cluster, jobs, form.getFirst(), seed, segments, settings);
            assertThat(Validator.check(cluster, jobs, segments, run)).as(form.toString()).isEmpty();
          }
        });
  }

  private static Cluster random(RandomGenerator random) {
    int gpus = random.nextInt(1, 5);
    int count = random.nextInt(1, 5);
    double nic = random.nextInt(1, 5) * 1e9;
    List<Server> servers =
        IntStream.range(0, count)
            .mapToObj(s -> new Server(Cluster.serverName(s), gpus, "v100", "r1", nic, 40e9))
            .toList();
    return new Cluster("random", servers, SHARE, 0);
  }

  /** Some silent, some rings, some pipelines. */
  private static Jobs jobs(RandomGenerator random, Cluster cluster, int count) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    int span = random.nextInt(1, 400);
    for (int i = 0; i < count; i++) {
      int gpus = Workloads.gpus(random, cluster);
      int kind = random.nextInt(3);
      builder.addDuration(
          "j" + i,
          random.nextInt(span),
          gpus,
          random.nextInt(1, 200),
          kind == 0 ? "" : kind == 1 ? "vgg16" : "gpt2-medium");
      int stages = random.nextInt(1, Math.min(gpus, 8) + 1);
      if (kind == 2 && stages > 1) {
        builder.staged(Replicas.parse(Integer.toString(stages), gpus));
      }
    }
    return builder.build();
  }

  private static double note(RunResult run, String name) {
    return Double.parseDouble(String.valueOf(run.notes().get(name)));
  }
}
