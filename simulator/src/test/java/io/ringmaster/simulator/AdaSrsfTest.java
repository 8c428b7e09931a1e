package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ada-SRSF in the ordinary simulation. */
class AdaSrsfTest {
  /**
   * Up to kappa GPUs go to the first idle GPUs, more to the least loaded servers. At 1 s the first
   * server has one of three GPUs free, the second is idle.
   */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 0"})
  void kappaDividesSmallFromLarge(int kappa, int firstServer) {
    Cluster cluster = Cluster.uniform(2, 3, Network.Contention.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("small", 0, 1, 100, "")
            .addDuration("small", 0, 1, 100, "")
            .addDuration("pair", 1, 2, 100, "")
            .build();
    int[] first = {-1};
    RunObserver observer =
        new RunObserver() {
          @Override
          public void segment(int job, double start, double end, double warmup, Placement place) {
            if (job == 2) {
              first[0] = place.server(0);
            }
          }
        };
    Runs.run(cluster, jobs, "ada-srsf", 1, observer, "kappa=" + kappa);
    assertThat(first[0]).isEqualTo(firstServer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "3", "adadual", "none"})
  void noServerHasMoreRingsThanTheGateAllows(String gate) {
    int most =
        switch (gate) {
          case "none" -> Integer.MAX_VALUE;
          case "adadual" -> 2;
          default -> Integer.parseInt(gate);
        };
    Seeds.each(
        100,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Workloads.contention(random), 0);
          Jobs jobs = Workloads.mixed(random, cluster, 40, false);
          String kappa = "kappa=" + random.nextInt(4);
          Segments segments = new Segments();
          StepCounts rings = new StepCounts(cluster.size());
          RunObserver observer =
              new RunObserver() {
                @Override
                public void segment(
                    int job, double start, double end, double warmup, Placement place) {
                  segments.segment(job, start, end, warmup, place);
                  for (int i = 0; place.size() > 1 && i < place.size(); i++) {
                    rings.add(place.server(i), start, end, jobs.model(job) < 0 ? 0 : 1);
                  }
                }
              };

          RunResult run =
              Runs.run(cluster, jobs, "ada-srsf", seed, observer, "gate=" + gate, kappa);

          // No job waits for ever.
          assertThat(run.finished()).isEqualTo(jobs.size());
          assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
          rings.build();
          for (int server = 0; server < cluster.size(); server++) {
            assertThat(rings.peak(server).count()).isLessThanOrEqualTo(most);
          }
        });
  }

  /**
   * Four servers of two GPUs, held by single jobs until "ring" gets one on each of the first two at
   * 10 s. Alone, an iteration of two workers takes 0.514752 s; beside another 1.020096 s. At 20 s
   * each server has a free GPU, and the ring has done 19.4 of its 1000 iterations. "small" takes
   * the third server, which has the least load, and the first. "large" takes the second and the
   * fourth. It meets the ring, which has 980.6 iterations left, and 300 is less than 980.6 / 2.4 =
   * 408.6. That the ring is about to be slowed down by "small" must not make it look shorter.
   */
  @Test
  void whatIsLeftIsCountedAtTheSpeedBeforeThePass() {
    Cluster cluster = Cluster.uniform(4, 2, Network.Contention.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("first-until-10", 0, 1, 10, "")
            .addDuration("first-until-20", 1, 1, 19, "")
            .addDuration("second-until-10", 2, 1, 8, "")
            .addDuration("second-until-20", 3, 1, 17, "")
            .addDuration("third-until-20", 4, 1, 16, "")
            .addDuration("third", 5, 1, 300, "")
            .addDuration("fourth-until-20", 6, 1, 14, "")
            .addDuration("fourth", 7, 1, 2000, "")
            .addIterations("ring", 10, 2, 1000, "vgg16")
            .addIterations("small", 20, 2, 100, "vgg16")
            .addIterations("large", 20, 2, 300, "vgg16")
            .build();
    Segments segments = new Segments();
    RunResult run = Runs.run(cluster, jobs, "ada-srsf", 1, segments);
    assertThat(run.startSeconds(8)).isEqualTo(10);
    assertThat(run.startSeconds(9)).isEqualTo(20);
    assertThat(run.startSeconds(10)).isEqualTo(20);
    assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
  }

  /** Lines, kept places and kept sums change nothing: all is computed anew for each job. */
  @ParameterizedTest
  @CsvSource({"adadual, 1", "adadual, 3", "1, 0", "2, 1", "none, 2"})
  void startsEveryJobWhenThePlainFormDoes(String gate, int kappa) {
    Seeds.each(
        50,
        (random, seed) -> {
          boolean rings = seed % 2 == 0;
          Cluster cluster =
              rings
                  ? Cluster.uniform(random.nextInt(6, 16), 3, Workloads.contention(random), 0)
                  : Workloads.cluster(random, Workloads.contention(random), 0);
          Jobs jobs = rings ? rings(random) : Workloads.mixed(random, cluster, 60, false);
          PolicySpec spec = Policies.named("ada-srsf");
          var settings = spec.settings(Map.of("gate", gate, "kappa", Integer.toString(kappa)));
          Spans ours = new Spans(jobs.size());
          Spans plain = new Spans(jobs.size());
          for (boolean first : new boolean[] {true, false}) {
            Runs.run(
                cluster,
                jobs,
                first ? spec.create(settings, cluster) : new PlainAdaSrsf(gate, kappa),
                new Estimate.Perfect(),
                seed,
                first ? ours : plain);
          }
          assertThat(ours.texts()).isEqualTo(plain.texts());
        });
  }

  /** Jobs that seldom fit a server of three GPUs, of very different length, in bursts. */
  private static Jobs rings(RandomGenerator random) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < 60; i++) {
      int submit = 20 * random.nextInt(6);
      int iterations = 1 << random.nextInt(10);
      String model = random.nextBoolean() ? "vgg16" : "resnet50";
      builder.addIterations(
          "j" + i, submit, random.nextInt(2, 7), iterations + random.nextInt(iterations), model);
    }
    return builder.build();
  }
}
