package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.EvenShares;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Placement;
import io.ringmaster.model.pipeline.Layer;
import io.ringmaster.model.pipeline.Replicas;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that are cut into stages, under every policy, and what the validator says of them. */
class StagedJobsTest {
  private static final List<String> MODELS = List.of("vgg16", "resnet50", "bert-large", "gpt2-xl");

  /** Of all that are registered; {@code gadget} says that it cannot. */
  static Stream<String> policies() {
    return Policies.all().stream().map(PolicySpec::name).filter(name -> !name.equals("gadget"));
  }

  @Test
  void gadgetSaysThatItCannot() {
    assertThatThrownBy(() -> Runs.run(CLUSTER, JOBS, "gadget"))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "policy gadget: it shares out any number of workers, but a job that trains mine has the"
                + " stages 2x2; leave its stages empty or use another policy");
    // Elsewhere the job is a ring of four.
    Cluster contention = Cluster.uniform(2, 2, Network.Contention.USUAL, 10);
    assertThat(Runs.run(contention, JOBS, "gadget").finished()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void everyPolicyServesThem(String policy) {
    Seeds.each(
        20,
        (random, seed) -> {
          Network network =
              seed % 4 == 0
                  ? Workloads.contention(random)
                  : Network.Contention.USUAL.sharing(
                      new Pipelining(random.nextBoolean(), 4 * random.nextInt(2)));
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Jobs jobs = jobs(random, cluster, 15);
          Segments segments = new Segments();
          RunResult run = Runs.run(cluster, jobs, policy, seed, segments);
          assertThat(run.finished()).isEqualTo(jobs.size());
          assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
        });
  }

  /** Staged, rigid and elastic ones. */
  private static Jobs jobs(RandomGenerator random, Cluster cluster, int count) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < count; i++) {
      int gpus = Workloads.gpus(random, cluster);
      boolean staged = gpus > 1 && random.nextInt(3) > 0;
      boolean elastic = !staged && random.nextBoolean();
      boolean duration = random.nextBoolean();
      builder.add(
          "j" + i,
          random.nextInt(200),
          gpus,
          elastic ? 1 : gpus,
          elastic ? cluster.totalGpus() : gpus,
          duration ? 1 + 100 * random.nextDouble() : random.nextInt(1, 300),
          duration,
          MODELS.get(random.nextInt(MODELS.size())),
          "u" + random.nextInt(3),
          "g" + random.nextInt(4));
      if (staged) {
        int stages = random.nextInt(2, Math.min(gpus, 16) + 1);
        builder.staged(Replicas.parse(String.valueOf(stages), gpus));
      }
    }
    return builder.build();
  }

  private static final Cluster CLUSTER =
      Cluster.uniform(2, 2, Network.Contention.USUAL.sharing(Pipelining.STEADY), 10);

  /** Equal layers that send a lot. */
  private static final ModelTable TABLE =
      ModelTable.standard()
          .with(
              List.of(
                  new ModelProfile("mine", 4e9, 1, 1, 1, "test")
                      .layered(List.of(new Layer(1, 1e9, 1), new Layer(1, 0, 1)))));

  private static final Jobs JOBS =
      Jobs.builder(TABLE)
          .addIterations("a", 0, 4, 10, "mine")
          .staged(Replicas.parse("2x2", 4))
          .build();

  /**
   * Servers of two GPUs with 1.25 GB/s: 0.625 GB/s each. Heavy-Edge: between stages 2 x 1 / 2 = 1
   * GB, rings 2 x 2 / 2 = 2 GB: stages apart. Activations 2 GB at 0.625 GB/s are 3.2 s, the ring 2
   * GB at 37.5 GB/s, passes of 1 s: 4.2533 s. Ten iterations.
   */
  @Test
  void aPlacementThatSaysNothingIsMappedByHeavyEdge() {
    Segments segments = new Segments();
    RunResult run = Runs.run(CLUSTER, JOBS, "fifo", 1, segments);
    assertThat(run.finishSeconds(0)).isCloseTo(10 * (1 + 3.2 + 2 / 37.5), within(1e-9));
    assertThat(Validator.check(CLUSTER, JOBS, segments, run)).isEmpty();
  }

  private static List<String> findings(int firstGpus, int[] first, int secondGpus, int[] second) {
    EvenShares time = new EvenShares(CLUSTER);
    Placement mixed =
        Placement.of(new int[] {0, 1}, new int[] {2, 2}).mapped(new int[] {1, 1, 1, 1});
    double seconds = 10 * time.seconds(Objects.requireNonNull(JOBS.profile(0)), mixed, 1);
    Segments segments = new Segments();
    segments.add(0, 0, seconds, 0, 0, firstGpus, first);
    segments.add(0, 0, seconds, 0, 1, secondGpus, second);
    return Validator.check(
        CLUSTER,
        JOBS,
        segments,
        new Validator.Outcomes() {
          @Override
          public double startSeconds(int job) {
            return 0;
          }

          @Override
          public double finishSeconds(int job) {
            return seconds;
          }

          @Override
          public double heldSeconds(int job) {
            return seconds;
          }

          @Override
          public int restarts(int job) {
            return 0;
          }
        });
  }

  @Test
  void theValidatorGoesByTheReplicasOfARow() {
    assertThat(findings(2, new int[] {1, 1}, 2, new int[] {1, 1})).isEmpty();
    // Stages apart would have been faster, as would Heavy-Edge, which keeps them apart.
    assertThat(findings(2, new int[] {2, 0}, 2, new int[] {0, 2}))
        .singleElement()
        .asString()
        .startsWith("job a: did work for ");
    assertThat(findings(2, new int[0], 2, new int[0]))
        .singleElement()
        .asString()
        .startsWith("job a: did work for ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1 1; 2 0; are '3+1' in all, the job has '2+2'",
        "1 1 0; 1 1; are '1+1+0' on server s0001, of 2 stages",
        "1 1; 2; are '2' on server s0002, of 2 stages",
        "1 1; ''; are '' on server s0002, of 2 stages",
        "1 1; 1 2; are '1+2' on 2 GPUs of server s0002",
      })
  void replicasThatAreNotThoseOfTheStages(String first, String second, String says) {
    assertThat(findings(2, numbers(first), 2, numbers(second)))
        .first()
        .isEqualTo("job a: its replicas at 0.0 s " + says);
  }

  @Test
  void aBrokenGangIsNamedAndNothingElseHappens() {
    assertThat(findings(2, numbers("1 1"), 1, numbers("1 0")))
        .contains("job a: runs with 3 GPUs at 0.0 s, takes 4 to 4");
    assertThat(findings(2, new int[0], 1, new int[0]))
        .contains("job a: runs with 3 GPUs at 0.0 s, takes 4 to 4");
    assertThat(findings(5, new int[0], -1, new int[0])).contains("job a: a row has -1 GPUs");
  }

  private static int[] numbers(String text) {
    return text.isEmpty()
        ? new int[0]
        : Stream.of(text.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
  }
}
