package io.ringmaster.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The approximation ratio of SJF-BCO, n_g phi u / l (theorem 2 of arXiv 2207.07817), against proved
 * optima: batches of two to eight jobs on one to four servers, with contention.
 */
class SjfBcoRatioTest {
  private static final int INSTANCES = 300;
  private static final double SECONDS_EACH = 5;
  private static final List<String> MODELS = List.of("", "vgg16", "resnet50", "lstm-ptb");

  private static Cluster cluster(RandomGenerator random) {
    List<Server> servers = new ArrayList<>();
    int count = random.nextInt(1, 5);
    for (int s = 0; s < count; s++) {
      int gpus = random.nextInt(1, 9);
      servers.add(new Server(Cluster.serverName(s), gpus, "v100", "r1", 10e9 / 8, 300e9 / 8));
    }
    return new Cluster("random", servers, Network.Contention.USUAL, 0);
  }

  private static Jobs jobs(RandomGenerator random, Cluster cluster) {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    int count = random.nextInt(2, 9);
    for (int i = 0; i < count; i++) {
      int most = random.nextInt(4) == 0 ? cluster.totalGpus() : (cluster.totalGpus() + 1) / 2;
      int gpus = random.nextInt(1, most + 1);
      String model = MODELS.get(random.nextInt(MODELS.size()));
      jobs.addDuration("j" + i, 0, gpus, 50 + 250 * random.nextDouble(), model);
    }
    return jobs.build();
  }

  private static RunResult sjfBco(Jobs jobs, Cluster cluster) {
    PolicySpec spec = Policies.named("sjf-bco");
    Settings settings = spec.settings(Map.of());
    Policy policy = spec.create(settings, cluster);
    Estimate exact = new Estimate.Perfect();
    return new Simulation(cluster, jobs, spec.name(), policy, exact, 1, RunObserver.NONE).run();
  }

  private static double makespan(Jobs jobs, RunResult run) {
    double last = 0;
    for (int job = 0; job < jobs.size(); job++) {
      last = Math.max(last, run.finishSeconds(job));
    }
    return last;
  }

  private static double ratio(RunResult run) {
    return run.notes().get("ratio") instanceof Double number ? number : Double.NaN;
  }

  private static int mostGpus(Jobs jobs) {
    int most = 1;
    for (int job = 0; job < jobs.size(); job++) {
      most = Math.max(most, jobs.gpus(job));
    }
    return most;
  }

  /**
   * Where every job has one GPU the ratio does not hold, see below; what does is Graham's 2 - 1/m
   * for any list schedule.
   */
  @Test
  void withinTheRatioOfTheBest() {
    long only = Long.getLong("ringmaster.seed", 0);
    int proved = 0;
    int looked = 0;
    for (long seed = 1; seed <= INSTANCES; seed++) {
      if (only != 0 && seed != only) {
        continue;
      }
      RandomGenerator random = new SplittableRandom(seed);
      Cluster cluster = cluster(random);
      Jobs jobs = jobs(random, cluster);
      RunResult run = sjfBco(jobs, cluster);
      Bound best = BestSchedule.of(Objective.MAKESPAN, jobs, cluster, SECONDS_EACH);
      double allowed = mostGpus(jobs) == 1 ? 2 - 1.0 / cluster.totalGpus() : ratio(run);
      looked++;
      proved += best.status() == Bound.Status.OPTIMAL ? 1 : 0;
      assertThat(makespan(jobs, run))
          .as("seed %d (replay: -Dringmaster.seed=%d), %s", seed, seed, best)
          .isBetween(best.lowerBoundSeconds() * (1 - 1e-6), allowed * best.lowerBoundSeconds());
    }
    assertThat(proved).as("optima proved, of %d", looked).isGreaterThanOrEqualTo(looked * 9 / 10);
  }

  /**
   * Two GPUs and three jobs of one GPU that take 1, 1 and 2 s, in this order. n_g = phi = u = l =
   * 1, so theorem 2 says that SJF-BCO is optimal. But it starts the first two; the third begins at
   * 1 and ends at 3. theta = 2 leaves no GPU for it, since both have 1 planned already. The best is
   * 2: the long job on one GPU, the short ones on the other.
   */
  @Test
  void theRatioDoesNotHoldForJobsOfOneGpu() {
    Cluster cluster = Cluster.uniform(1, 2, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 1, 1, "")
            .addDuration("b", 0, 1, 1, "")
            .addDuration("c", 0, 1, 2, "")
            .build();
    RunResult run = sjfBco(jobs, cluster);
    Bound best = BestSchedule.of(Objective.MAKESPAN, jobs, cluster, SECONDS_EACH);
    assertThat(best.status()).isEqualTo(Bound.Status.OPTIMAL);
    assertThat(best.bestFoundSeconds()).isCloseTo(2, within(1e-5));
    assertThat(ratio(run)).isEqualTo(1);
    assertThat(makespan(jobs, run)).isEqualTo(3);
  }
}
