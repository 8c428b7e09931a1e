package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What EASY promises to the first job of the queue when it becomes that, it keeps. */
class EasyReservationTest {
  @ParameterizedTest
  @ValueSource(strings = {"any", "consolidate"})
  void theFirstOfTheQueueNeverStartsLaterThanPromised(String placement) {
    Seeds.each(
        300,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, 0);
          Jobs jobs = Workloads.whole(random, cluster, 30);
          keepsPromises(cluster, jobs, Map.of("placement", placement), seed);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "consolidate"})
  void norIfJobsEndSoonerThanEstimated(String placement) {
    Seeds.each(
        200,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, 0);
          Jobs jobs = Workloads.overestimated(random, cluster, 30, seed);
          keepsPromises(cluster, jobs, Map.of("placement", placement, "estimate", "noise:1"), seed);
        });
  }

  private static void keepsPromises(
      Cluster cluster, Jobs jobs, Map<String, String> settings, long seed) {
    Placer placer = Placer.of(Policies.named("easy").settings(settings), cluster);
    Map<Integer, Double> promised = new HashMap<>();
    Set<Integer> ran = new HashSet<>();
    RunResult run =
        Watched.run(
            cluster,
            jobs,
            "easy",
            settings,
            seed,
            (view, active) -> {
              active.stream()
                  .filter(view::waiting)
                  .findFirst()
                  .ifPresent(head ->
                      promised.computeIfAbsent(
                          head, _ -> earliestStart(view, active, ran, head, placer)));
              active.stream().filter(view::running).forEach(ran::add);
            });
    promised.forEach((job, seconds) ->
        assertThat(run.startSeconds(job))
            .as(() -> "start of job " + job + " on " + Workloads.describe(cluster, jobs))
            .isLessThanOrEqualTo(seconds + 1e-9));
    assertThat(run.finished()).isEqualTo(jobs.size());
  }

  /** When a waiting job fits if nothing else starts and running jobs end as expected. */
  private static double earliestStart(
      View view, SortedSet<Integer> active, Set<Integer> ranBefore, int head, Placer placer) {
    record End(double seconds, int job) {}
    List<End> ends =
        active.stream()
            .filter(view::running)
            .map(job ->
                new End(
                    ranBefore.contains(job)
                        ? view.expectedEndSeconds(job)
                        : view.nowSeconds() + view.estimateSeconds(job),
                    job))
            .sorted(Comparator.comparingDouble(End::seconds))
            .toList();
    try (FreeServers.Supposition ended = view.free().suppose()) {
      for (End end : ends) {
        ended.release(view.placement(end.job()), view.demand(end.job()));
        if (placer.place(view.free(), view.demand(head), view.gpus(head)) != null) {
          return end.seconds();
        }
      }
    }
    throw new AssertionError("job " + head + " does not fit the empty cluster");
  }
}
