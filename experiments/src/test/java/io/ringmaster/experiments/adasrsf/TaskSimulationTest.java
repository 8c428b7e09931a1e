package io.ringmaster.experiments.adasrsf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.experiments.adasrsf.Workload.Job;
import io.ringmaster.policy.adasrsf.Gate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs worked out by hand. A forward task takes 10 ms, a backward task 20 ms. A megabyte takes 1
 * ms, and 2.5 ms beside another transfer: AdaDUAL's threshold is 1 / 3.
 */
class TaskSimulationTest {
  private static final LinkCost COST = new LinkCost(1, 0.5);
  private static final Net SMALL = new Net(100, 10, 20, 400);
  private static final Net LARGE = new Net(100, 10, 20, 700);
  private static final Machines ONE_GPU = new Machines(1, 1, 1000);
  private static final Machines TWO_NODES = new Machines(2, 1, 1000);
  private static final Machines TWO_BY_TWO = new Machines(2, 2, 1000);

  private static double[] run(Machines machines, Placing placing, Gate gate, Job... jobs) {
    Workload workload = new Workload(List.of(jobs));
    return new TaskSimulation(workload, machines, COST, placing, gate, 1).run();
  }

  private static double[] run(Machines machines, Job... jobs) {
    return run(machines, new Placing.LeastWork(1), COST.adaDual(), jobs);
  }

  @Test
  void aJobAloneTakesItsTasks() {
    assertThat(run(ONE_GPU, new Job(7, SMALL, 1, 3))).containsExactly(7 + 3 * 30);
  }

  /** Two workers on two nodes: 30 ms and an all-reduce of 100 ms in each iteration. */
  @Test
  void aJobOnTwoNodesSendsAfterEachIteration() {
    assertThat(run(TWO_NODES, new Job(0, SMALL, 2, 2))).containsExactly(260);
  }

  /** On one node it does not send. */
  @Test
  void aJobOnOneNodeDoesNotSend() {
    assertThat(run(TWO_BY_TWO, new Job(0, SMALL, 2, 2))).containsExactly(60);
  }

  /**
   * The first job's forward task ends at 10; it has 80 ms left, the second 30, which goes first: 10
   * to 20 and 20 to 40. Then the first goes on for its 80 ms.
   */
  @Test
  void aSharedGpuRunsTheJobWithTheLeastServiceLeft() {
    assertThat(run(ONE_GPU, new Job(0, SMALL, 1, 3), new Job(5, SMALL, 1, 1)))
        .containsExactly(120, 40);
  }

  /** 700 MB and 700 MB do not fit 1000; 700 and 300 would, and a small one passes by. */
  @Test
  void memoryIsTheOnlyLimitAndWhatDoesNotFitIsPassedOver() {
    Net tiny = new Net(100, 10, 20, 300);
    assertThat(
            run(ONE_GPU, new Job(0, LARGE, 1, 3), new Job(5, LARGE, 1, 1), new Job(6, tiny, 1, 2)))
        // The third has 60 ms and goes before the first: 10 to 70. The first ends at 150.
        .containsExactly(150, 180, 70);
  }

  /** Of two that wait, the one with less GPU-time is placed first. */
  @Test
  void theQueueIsInOrderOfService() {
    assertThat(
            run(ONE_GPU, new Job(0, LARGE, 1, 3), new Job(1, LARGE, 1, 2), new Job(2, LARGE, 1, 1)))
        .containsExactly(90, 180, 120);
  }

  /**
   * Two jobs of two workers on the same two GPUs. The first computes until 30 and sends from then
   * on; the second computes from 30 to 60, when the first has 70 of its 100 MB left.
   *
   * <pre>
   *   SRSF(1)  the first ends at 130, the second sends for M ms after that
   *   SRSF(2)  M = 100: the first needs 70 * 2.5 = 175 ms more and ends at 235. The second has moved
   *            70 MB by then, and ends at 265.
   *   AdaDUAL  23 / 70 = 0.329 is less than 1 / 3: the second ends at 60 + 23 * 2.5 = 117.5, the
   *            first, with 47 MB left, at 164.5. 24 / 70 = 0.343 is not: as SRSF(1).
   * </pre>
   */
  @ParameterizedTest(name = "gate {0}, {1} MB")
  @CsvSource({
    "1, 100, 130, 230",
    "2, 100, 235, 265",
    "3, 100, 235, 265",
    "0, 100, 130, 230",
    "0, 23, 164.5, 117.5",
    "0, 24, 130, 154"
  })
  void theGateDecidesWhoSends(int most, double megabytes, double first, double second) {
    Gate gate = most == 0 ? COST.adaDual() : new Gate.AtMost(most);
    double[] ends =
        run(
            TWO_NODES,
            new Placing.LeastWork(1),
            gate,
            new Job(0, SMALL, 2, 1),
            new Job(0, new Net(megabytes, 10, 20, 400), 2, 1));
    assertThat(ends[0]).isCloseTo(first, within(1e-9));
    assertThat(ends[1]).isCloseTo(second, within(1e-9));
  }

  /**
   * The first job has a GPU of the first node. A pair of up to kappa workers takes the least loaded
   * GPUs, one on each node, and sends 100 ms; a larger one takes the idle node.
   */
  @ParameterizedTest
  @CsvSource({"1, 31", "2, 131"})
  void kappaDividesSmallFromLarge(int kappa, double end) {
    double[] ends =
        run(
            TWO_BY_TWO,
            new Placing.LeastWork(kappa),
            COST.adaDual(),
            new Job(0, SMALL, 1, 10),
            new Job(1, SMALL, 2, 1));
    assertThat(ends[1]).isEqualTo(end);
  }

  /** First fit puts both on the first GPU, least work does not. */
  @Test
  void firstFitFillsTheFirstGpus() {
    Job[] jobs = {new Job(0, SMALL, 1, 1), new Job(0, SMALL, 1, 1)};
    assertThat(run(TWO_BY_TWO, new Placing.FirstFit(), COST.adaDual(), jobs))
        .containsExactly(30, 60);
    assertThat(run(TWO_BY_TWO, jobs)).containsExactly(30, 30);
  }

  /** Every draw passes the audit, which throws otherwise, under every placement and gate. */
  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4"})
  void drawsPassTheAudit(long seed) {
    Workload workload = Workload.draw(seed, new Workload.Shape(1, 6, 1200));
    List<Placing> placings =
        List.of(
            new Placing.LeastWork(1),
            new Placing.LeastWork(4),
            new Placing.FirstFit(),
            new Placing.Random());
    for (Placing placing : placings) {
      for (Gate gate : List.of(new Gate.AtMost(1), new Gate.AtMost(3), COST.adaDual())) {
        double[] ends =
            new TaskSimulation(workload, Machines.PAPER, COST, placing, gate, seed).run();
        for (int job = 0; job < ends.length; job++) {
          Job each = workload.job(job);
          assertThat(ends[job])
              .isGreaterThanOrEqualTo(
                  each.submitMillis() + each.iterations() * each.net().computeMillis());
        }
      }
    }
  }

  @Test
  void theDrawIsThatOfThePaper() {
    Workload workload = Workload.draw(1, Workload.Shape.scaled(1));
    assertThat(workload.jobs())
        .hasSize(160)
        .allMatch(job -> job.iterations() >= 10 && job.iterations() <= 60)
        .allMatch(job -> job.submitMillis() < 12_000)
        .isSortedAccordingTo((a, b) -> Integer.compare(a.submitMillis(), b.submitMillis()));
    assertThat(workload.jobs().stream().mapToInt(Job::workers).sum()).isEqualTo(644);
    assertThat(Net.ALL.getFirst()).isEqualTo(new Net(526.4, 36, 54, 4527));
    assertThat(Net.ALL.getLast()).isEqualTo(new Net(251.8, 32, 47, 2751));
  }
}
