package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.testing.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SjfBcoTest {
  private static Jobs batch(RandomGenerator random, Cluster cluster, int count) {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < count; i++) {
      String model = List.of("", "vgg16", "resnet50").get(random.nextInt(3));
      double seconds = 10 + 500 * random.nextDouble();
      jobs.addDuration("j" + i, 0, Workloads.gpus(random, cluster), seconds, model);
    }
    return jobs.build();
  }

  private static double makespan(Jobs jobs, RunResult run) {
    double last = 0;
    for (int job = 0; job < jobs.size(); job++) {
      last = Math.max(last, run.finishSeconds(job));
    }
    return last;
  }

  private static double number(RunResult run, String note) {
    return run.notes().get(note) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  @Test
  void givesWhatThePaperSays() {
    Seeds.each(
        60,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Workloads.contention(random), 0);
          Jobs jobs = batch(random, cluster, random.nextInt(1, 16));
          int lambda = random.nextInt(1, 4);
          int horizon = random.nextInt(3) * 1000;
          RunResult run =
              Runs.run(cluster, jobs, "sjf-bco", "lambda=" + lambda, "horizon=" + horizon);
          assertThat(makespan(jobs, run))
              .as("lambda %d, horizon %d", lambda, horizon)
              .isCloseTo(PlainSjfBco.makespan(cluster, jobs, horizon, lambda), within(1e-6));
        });
  }

  /** The plan of a known batch comes true, with either reading. */
  @Test
  void thePlanComesTrue() {
    Seeds.each(
        150,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, 0);
          Jobs jobs = batch(random, cluster, random.nextInt(1, 30));
          for (String policy : List.of("sjf-bco", "list-scheduling", "first-fit")) {
            for (String gpus : List.of("idle", "fixed")) {
              RunResult run = Runs.run(cluster, jobs, policy, "gpus=" + gpus);
              assertThat(makespan(jobs, run))
                  .as(policy + " " + gpus)
                  .isCloseTo(number(run, "planned_end_s"), within(1e-6));
              assertThat(number(run, "plans")).isEqualTo(1);
            }
          }
        });
  }

  @Test
  void jobsThatComeLaterArePlannedToo() {
    Seeds.each(
        60,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Workloads.contention(random), 0);
          Jobs jobs = Workloads.mixed(random, cluster, 40, false);
          for (String policy : List.of("sjf-bco", "list-scheduling", "first-fit")) {
            for (String gpus : List.of("idle", "fixed")) {
              for (String estimate : List.of("perfect", "noise:1")) {
                Segments segments = new Segments();
                RunResult run =
                    Runs.run(
                        cluster,
                        jobs,
                        policy,
                        seed,
                        segments,
                        "gpus=" + gpus,
                        "estimate=" + estimate);
                assertThat(Validator.check(cluster, jobs, segments, run))
                    .as(policy + " " + gpus + " " + estimate)
                    .isEmpty();
              }
            }
          }
        });
  }
}
