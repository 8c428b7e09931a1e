package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SjfBcoTest {
  private static Jobs batch(RandomGenerator random, Cluster cluster, int count) {
    Jobs.Builder jobs = Jobs.builder(ModelTable.standard());
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
                assertThat(Validator.check(cluster, jobs, segments, Validator.Outcomes.of(run)))
                    .as(policy + " " + gpus + " " + estimate)
                    .isEmpty();
              }
            }
          }
        });
  }

  /** Servers of 2 and 4 GPUs; s1 and s2 have one worker, p has four, all alike in length. */
  private static final Cluster TWO_AND_FOUR =
      new Cluster(
          "test",
          List.of(
              new Server("a", 2, "v100", "r1", 1.25e9, 37.5e9),
              new Server("b", 4, "v100", "r1", 1.25e9, 37.5e9)),
          Network.Contention.USUAL,
          0);

  /**
   * Small jobs are packed on the small server, so the large one stays on one server and is alone in
   * its ideal place: all end after 100 s. First fit does the same here, since the small server
   * comes first; with the servers the other way round it does not.
   */
  @Test
  void packingKeepsTheLargeServerFree() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("s1", 0, 1, 100, "vgg16")
            .addDuration("s2", 0, 1, 100, "vgg16")
            .addDuration("p", 0, 4, 100, "vgg16")
            .build();
    assertThat(makespan(jobs, Runs.run(TWO_AND_FOUR, jobs, "sjf-bco")))
        .isCloseTo(100, within(1e-9));
    List<Server> reversed = new ArrayList<>(TWO_AND_FOUR.servers()).reversed();
    Cluster other = new Cluster("test", reversed, Network.Contention.USUAL, 0);
    assertThat(makespan(jobs, Runs.run(other, jobs, "sjf-bco"))).isCloseTo(100, within(1e-9));
    assertThat(makespan(jobs, Runs.run(other, jobs, "first-fit"))).isGreaterThan(150);
  }

  /**
   * n_g = 4, u = 2, l = 0.5. phi is that of the four workers: at worst two on each server, beside
   * no other ring, since the others have one worker. Ideally 0.0211 + 0.0039 + 0.09 + 0.0005 =
   * 0.1155 s an iteration, across 0.6317 + 0.0039 + 0.09 + 0.001 = 0.7266 s.
   */
  @Test
  void saysItsRatio() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("s1", 0, 1, 100, "vgg16")
            .addDuration("p", 0, 4, 100, "vgg16")
            .build();
    Map<String, Object> notes = Runs.run(TWO_AND_FOUR, jobs, "sjf-bco", "u=2", "l=0.5").notes();
    assertThat((Double) notes.get("ratio"))
        .isCloseTo(4 * (0.726628 / 0.115504) * 2 / 0.5, within(1e-6));
  }

  @Test
  void longestFirstStartsTheLongestThatFits() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("short", 0, 2, 10, "")
            .addDuration("long", 0, 3, 50, "")
            .addDuration("small", 0, 1, 5, "")
            .build();
    RunResult run = Runs.run(cluster, jobs, "longest-first");
    assertThat(run.startSeconds(1)).isZero();
    assertThat(run.startSeconds(2)).isZero();
    assertThat(run.startSeconds(0)).isEqualTo(50);
    RunResult blocking = Runs.run(cluster, jobs, "longest-first", "blocking=true");
    assertThat(blocking.startSeconds(2)).isEqualTo(50);
  }
}
