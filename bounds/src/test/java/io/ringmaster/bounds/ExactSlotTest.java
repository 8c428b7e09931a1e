package io.ringmaster.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.ReservedBandwidth;
import io.ringmaster.policy.gadget.SlotJob;
import io.ringmaster.policy.gadget.SlotPlan;
import io.ringmaster.policy.gadget.SlotProblem;
import io.ringmaster.testing.Seeds;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExactSlotTest {
  private static SlotPlan solve(SlotProblem problem) {
    return new ExactSlot().solve(problem, new SplittableRandom(1));
  }

  private static SlotJob byWorkers(Cluster cluster, int id, double... profits) {
    return SlotCases.job(
        id, Demand.NONE, 1, profits.length, cluster, null, p -> profits[p.workers() - 1]);
  }

  /**
   * Four GPUs, and two jobs with the speeds 1, 1, 1.29, 1.6 of a ring whose first extra worker
   * brings nothing. The second is worth half as much. 4 + 0 workers: 1.6; 3 + 1: 1.29 + 0.5 = 1.79;
   * 2 + 2: 1.5; 1 + 3: 1.645; 0 + 4: 0.8.
   */
  @Test
  void jumpsOverAWorkerThatBringsNothing() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    SlotJob job = byWorkers(cluster, 0, 1, 1, 1.29, 1.6);
    SlotJob half = byWorkers(cluster, 1, 0.5, 0.5, 0.645, 0.8);
    SlotPlan plan = solve(new SlotProblem(cluster, List.of(job, half)));
    assertThat(plan.placements()).containsExactly(Placement.on(0, 3), Placement.on(0, 1));
    assertThat(plan.profit()).isCloseTo(1.79, within(1e-9));
  }

  @Test
  void nobodyRunsAtALoss() {
    Cluster cluster = Cluster.uniform(2, 2, Network.None.USUAL, 0);
    SlotProblem problem = new SlotProblem(cluster, List.of(byWorkers(cluster, 0, -1, 0, -2, -3)));
    assertThat(solve(problem).placements()).isEqualTo(Collections.singletonList(null));
    assertThat(solve(new SlotProblem(cluster, List.of())).profit()).isZero();
  }

  /** Its servers are named in another order than the solver's, and still it stays. */
  @Test
  void staysWhereItRuns() {
    Cluster cluster = Cluster.uniform(3, 2, Network.None.USUAL, 0);
    Placement current = Placement.of(new int[] {2, 1}, new int[] {2, 1});
    SlotJob job =
        SlotCases.job(0, Demand.NONE, 3, 3, cluster, current, p -> p.equals(current) ? 1 : 0.9);
    SlotPlan plan = solve(new SlotProblem(cluster, List.of(job)));
    assertThat(plan.placements()).containsExactly(current);
  }

  @Test
  void isTheBestOfAllPlans() {
    Seeds.each(
        300,
        (random, seed) -> {
          SlotProblem problem =
              SlotCases.random(random, random.nextInt(2, 4), 3, random.nextInt(2, 4));
          SlotPlan plan = solve(problem);
          assertThat(SlotCases.broken(problem, plan)).isEmpty();
          assertThat(plan.profit()).isCloseTo(SlotCases.bestByTrying(problem), within(1e-7));
        });
  }

  private static SlotJob on(Cluster fewer, SlotJob job) {
    Placement current = job.current();
    boolean there = SlotCases.all(fewer).contains(current);
    return SlotCases.job(
        job.id(),
        job.demand(),
        job.minWorkers(),
        job.maxWorkers(),
        fewer,
        there ? current : null,
        job::profit);
  }

  @Test
  void anotherServerNeverHarms() {
    Seeds.each(
        50,
        (random, seed) -> {
          SlotProblem all = SlotCases.random(random, 4, 4, 5);
          Cluster cluster = all.cluster();
          Cluster fewer =
              new Cluster(
                  "fewer",
                  cluster.servers().subList(0, 3),
                  cluster.racks(),
                  cluster.network(),
                  cluster.restartSeconds());
          List<SlotJob> jobs = all.jobs().stream().map(job -> on(fewer, job)).toList();
          assertThat(solve(all).profit())
              .isGreaterThan(solve(new SlotProblem(fewer, jobs)).profit() - 1e-7);
        });
  }

  /** Where rings get a part of the link, three workers and one are slower than two and two. */
  @Test
  void ringsThatShareLinksByGpusAreRefused() {
    Cluster cluster = Cluster.uniform(2, 3, Network.Contention.USUAL.reserving(0), 0);
    IterationTime time = new ReservedBandwidth(cluster);
    ModelTable models = ModelTable.standard();
    ModelProfile vgg = models.profile(models.indexOf("vgg16"));
    SlotJob ring =
        SlotCases.job(
            7, Demand.NONE, 1, 4, cluster, null, p -> p.workers() / time.seconds(vgg, p, 1));
    assertThatThrownBy(() -> solve(new SlotProblem(cluster, List.of(ring))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("job 7")
        .hasMessageContaining("fixed reservation");
    SlotProblem silent = new SlotProblem(cluster, List.of(byWorkers(cluster, 0, 1, 2, 3, 4)));
    assertThat(solve(silent).profit()).isCloseTo(4, within(1e-9));
  }

  @Test
  void tooManyJobsAreRefused() {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 0);
    List<SlotJob> jobs = Collections.nCopies(21, byWorkers(cluster, 0, 1));
    assertThatThrownBy(() -> solve(new SlotProblem(cluster, jobs)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("up to 20 jobs");
  }
}
