package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.testing.Seeds;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Dominant resource fairness: nobody has more than another who could have it too. */
class DominantShareTest {
  @Test
  void identicalElasticJobsHaveEqualSharesToOneWorker() {
    Seeds.each(
        150,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, seed % 2 == 0 ? 0 : 5);
          int count = random.nextInt(1, 2 * cluster.totalGpus() + 1);
          JobsBuilder builder = Jobs.builder(ModelTable.standard());
          for (int i = 0; i < count; i++) {
            double seconds = 1 + 50 * random.nextDouble();
            builder.add(
                "j" + i, random.nextInt(40), 1, 1, cluster.totalGpus(), seconds, true, "", "", "");
          }
          Watched.run(
              cluster,
              builder.build(),
              "drf",
              Map.of(),
              seed,
              (view, active) -> {
                IntSummaryStatistics workers =
                    active.stream()
                        .mapToInt(job -> view.running(job) ? view.placement(job).workers() : 0)
                        .summaryStatistics();
                if (!active.isEmpty()) {
                  assertThat(view.free().total()).as("free at " + view.nowSeconds()).isZero();
                }
                assertThat(workers.getMax() - workers.getMin())
                    .as("difference of shares at " + view.nowSeconds())
                    .isLessThanOrEqualTo(1);
              });
        });
  }

  @Test
  void usersWithIdenticalRigidJobsHoldEqualShares() {
    Seeds.each(
        150,
        (random, seed) -> {
          int gpus = random.nextInt(1, 4);
          Cluster cluster = Cluster.uniform(random.nextInt(1, 5), gpus * 2, Network.None.USUAL, 0);
          int users = random.nextInt(2, 5);
          JobsBuilder builder = Jobs.builder(ModelTable.standard());
          for (int i = 0; i < 60; i++) {
            String user = "u" + random.nextInt(users);
            builder.add("j" + i, 0, gpus, gpus, gpus, random.nextInt(1, 9), true, "", user, "");
          }
          Watched.run(
              cluster,
              builder.build(),
              "drf",
              Map.of(),
              seed,
              (view, active) -> {
                Map<Integer, Integer> held = new HashMap<>();
                Map<Integer, Integer> waiting = new HashMap<>();
                for (int job : active) {
                  (view.running(job) ? held : waiting)
                      .merge(view.user(job), view.gpus(job), Integer::sum);
                }
                // Who still waits has no less than any other, but for one job.
                waiting.forEach((poor, _) ->
                    held.forEach((rich, has) ->
                        assertThat(has - held.getOrDefault(poor, 0))
                            .as("user %d over user %d at %s", rich, poor, view.nowSeconds())
                            .isLessThanOrEqualTo(gpus)));
              });
        });
  }

  /**
   * Four GPUs. "a" and "b" of one user and "c" of another want one to four workers each: users get
   * two each, and the first user's two jobs one each.
   */
  @Test
  void usersShareBeforeTheirJobsDo() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .add("a", 0, 4, 1, 4, 10, true, "", "ann", "")
            .add("b", 0, 4, 1, 4, 10, true, "", "ann", "")
            .add("c", 0, 4, 1, 4, 10, true, "", "bob", "")
            .build();
    Map<Integer, Integer> first = new HashMap<>();
    Watched.run(
        cluster,
        jobs,
        "drf",
        Map.of(),
        1,
        (view, active) ->
            active.forEach(job -> first.putIfAbsent(job, view.placement(job).workers())));
    assertThat(first).isEqualTo(Map.of(0, 1, 1, 1, 2, 2));
  }
}
