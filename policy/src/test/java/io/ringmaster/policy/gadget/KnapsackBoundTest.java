package io.ringmaster.policy.gadget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.policy.Rooms;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class KnapsackBoundTest {
  private static final Offset<Double> EXACT = within(1e-7);

  private static SlotJob job(int id, Demand demand, double... profits) {
    return Slots.job(id, demand, 1, profits, profits, null);
  }

  /**
   * Five GPUs. The first job's hull of 1, 1, 6, 5 goes from (0, 0) to (3, 6): slope 2. The second's
   * of 3, 4, 4.5 has slopes 3, 1, 0.5. By slope: 1 GPU for 3, 3 GPUs for 6, the fifth GPU for 1.
   */
  @Test
  void byHand() {
    List<SlotJob> jobs = List.of(job(0, Demand.NONE, 1, 1, 6, 5), job(1, Demand.NONE, 3, 4, 4.5));
    SlotProblem problem = new SlotProblem(Rooms.cluster(4, 1), jobs);
    assertThat(KnapsackBound.of(problem)).isCloseTo(10, EXACT);
    assertThat(KnapsackBound.ofGpus(problem).price()).isCloseTo(1, EXACT);
    // With three GPUs the segment of slope 2 is cut: 3 + 2 * 2.
    problem = new SlotProblem(Rooms.cluster(3), jobs);
    assertThat(KnapsackBound.of(problem)).isCloseTo(7, EXACT);
    // Enough for all: 6 + 4.5, and one more GPU is worth nothing.
    problem = new SlotProblem(Rooms.cluster(8), jobs);
    assertThat(KnapsackBound.of(problem)).isCloseTo(10.5, EXACT);
    assertThat(KnapsackBound.ofGpus(problem).price()).isZero();
  }

  /**
   * Ten GPUs, and 8 CPUs of which a worker of the first job takes 4. By GPUs all run: 9 + 2. By
   * CPUs two of the three workers of the first do, and the second job, which takes none: 6 + 2.
   */
  @Test
  void theScarcestResourceCounts() {
    Server server = new Server("s", 10, "v100", "r", 1e9, 1e9, 8, 100, 300);
    Cluster cluster = new Cluster("test", List.of(server), Network.None.USUAL, 0);
    List<SlotJob> jobs = List.of(job(0, new Demand(4, 1), 3, 6, 9), job(1, new Demand(0, 1), 2));
    assertThat(KnapsackBound.of(new SlotProblem(cluster, jobs))).isCloseTo(8, EXACT);
  }

  /** The bound is the least over all prices; a few prices are tried. */
  @Test
  void isTheLeastOverPrices() {
    Seeds.each(
        200,
        (random, seed) -> {
          List<SlotJob> jobs = new ArrayList<>();
          for (int j = random.nextInt(1, 30); j > 0; j--) {
            jobs.add(job(j, Demand.NONE, random.doubles(random.nextInt(1, 9), -1, 9).toArray()));
          }
          SlotProblem problem = new SlotProblem(Rooms.random(random), jobs);
          KnapsackBound.Relaxation bound = KnapsackBound.ofGpus(problem);
          assertThat(atPrice(problem, bound.price())).isCloseTo(bound.value(), EXACT);
          for (int i = 0; i < 20; i++) {
            assertThat(atPrice(problem, random.nextDouble(10)))
                .isGreaterThanOrEqualTo(bound.value() - 1e-7);
          }
        });
  }

  private static double atPrice(SlotProblem problem, double price) {
    int gpus = problem.cluster().totalGpus();
    double sum = price * gpus;
    for (SlotJob job : problem.jobs()) {
      double best = 0;
      for (int w = 1; w <= Math.min(gpus, job.maxWorkers()); w++) {
        best = Math.max(best, job.most(w) - w * price);
      }
      sum += best;
    }
    return sum;
  }

  @Test
  void noJobsNoProfit() {
    assertThat(KnapsackBound.of(new SlotProblem(Rooms.cluster(4), List.of()))).isZero();
  }
}
