package io.ringmaster.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.Network;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.slots.Allocation;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExactAllocationTest {
  private static final List<AllReduce> KINDS = List.of(AllReduce.values());

  /** A job whose times with 1, 2, ... workers are written down. */
  private static final class Table implements Allocation.Candidate {
    private final int least;
    private final boolean doubles;
    private final double[] seconds;

    Table(int least, boolean doubles, double... seconds) {
      this.least = least;
      this.doubles = doubles;
      this.seconds = seconds;
    }

    @Override
    public Demand demand() {
      return Demand.NONE;
    }

    @Override
    public int least() {
      return least;
    }

    @Override
    public int next(int workers) {
      int next = doubles ? 2 * workers : workers + 1;
      return next <= seconds.length ? next : workers;
    }

    @Override
    public double seconds(int workers) {
      return seconds[workers - 1];
    }

    Table doubling() {
      return new Table(least, true, seconds);
    }
  }

  private static Table any(double... seconds) {
    return new Table(1, false, seconds);
  }

  private static int[] greedy(List<Table> jobs, int gpus) {
    Shares shares = new Shares(Cluster.uniform(1, gpus, Network.None.USUAL, 0));
    return Allocation.of(jobs, shares, shares.holding());
  }

  private static double exactSeconds(List<Table> jobs, int gpus) {
    return ExactAllocation.totalSeconds(jobs, ExactAllocation.of(jobs, gpus));
  }

  /**
   * Four GPUs. 1 + 3 workers: 100 + 30 = 130; 2 + 2: 60 + 60 = 120; 3 + 1: 65 + 90 = 155, for three
   * are slower than two. With five GPUs also 4 + 1: 20 + 90 = 110, 3 + 2: 125, and 2 + 3: 90.
   */
  @Test
  void triesWhatGreedDoesNot() {
    List<Table> jobs = List.of(any(100, 60, 65, 20), any(90, 60, 30));
    assertThat(ExactAllocation.of(jobs, 4)).containsExactly(2, 2);
    assertThat(ExactAllocation.of(jobs, 5)).containsExactly(2, 3);
    assertThat(exactSeconds(jobs, 5)).isEqualTo(90);
    // 4 + 3: 50.
    assertThat(ExactAllocation.of(jobs, 7)).containsExactly(4, 3);
  }

  /**
   * Jobs of ten epochs and of one, 8 GPUs. 4 + 4: 472.5 + 47.25 = 519.75; 5 + 3: 410 + 60 = 470; 6
   * + 2: 360 + 81.9 = 441.9; 7 + 1: 330 + 138 = 468. Of powers of two 4 + 4 is the best, for 8 + 1
   * has no room.
   */
  @Test
  void powersOfTwoAloneWhereJobsDouble() {
    double[] epoch = {138, 81.9, 60, 47.25, 41, 36, 33, 29.6};
    Table ten = any(Arrays.stream(epoch).map(seconds -> 10 * seconds).toArray());
    List<Table> jobs = List.of(ten, any(epoch));
    assertThat(ExactAllocation.of(jobs, 8)).containsExactly(6, 2);
    assertThat(exactSeconds(jobs, 8)).isCloseTo(441.9, within(1e-9));
    List<Table> doubling = jobs.stream().map(Table::doubling).toList();
    assertThat(ExactAllocation.of(doubling, 8)).containsExactly(4, 4);
    assertThat(exactSeconds(doubling, 8)).isCloseTo(519.75, within(1e-9));
  }

  /**
   * A long job that scales perfectly, beside one that takes next to nothing, on 64 GPUs. From 32
   * workers the long one would go on to 64, but one GPU is taken: 6400 / 32 = 200 s, where 6400 /
   * 63 = 101.6 s are possible. So doubling may take nearly twice as long though all jobs scale
   * well.
   */
  @Test
  void doublingMayTakeNearlyTwiceAsLong() {
    Table large = any(IntStream.rangeClosed(1, 64).mapToDouble(w -> 6400.0 / w).toArray());
    List<Table> jobs = List.of(large, any(1e-6));
    assertThat(ExactAllocation.of(jobs, 64)).containsExactly(63, 1);
    List<Table> doubling = jobs.stream().map(Table::doubling).toList();
    assertThat(greedy(doubling, 64)).containsExactly(32, 1);
    assertThat(ExactAllocation.of(doubling, 64)).containsExactly(32, 1);
  }

  /** Two workers are slower than one, four a hundred times as fast: greed of either kind stops. */
  @Test
  void greedMayBeAsBadAsOneLikes() {
    List<Table> jobs = List.of(any(100, 101, 101, 1));
    assertThat(greedy(jobs, 4)).containsExactly(1);
    assertThat(greedy(jobs.stream().map(Table::doubling).toList(), 4)).containsExactly(1);
    assertThat(ExactAllocation.of(jobs, 4)).containsExactly(4);
  }

  /** Three GPUs: the second job does not fit beside the first, the third does. */
  @Test
  void jobsThatDoNotFitWaitAsWithTheGreedyRule() {
    Table pair = new Table(2, false, 9, 8, 7);
    List<Table> jobs = List.of(pair, pair, any(5, 1));
    assertThat(ExactAllocation.of(jobs, 3)).containsExactly(2, 0, 1);
    assertThat(exactSeconds(jobs, 3)).isEqualTo(13);
    assertThat(ExactAllocation.of(List.of(any(9), any(1), any(1)), 2)).containsExactly(1, 1, 0);
    assertThat(ExactAllocation.of(jobs, 0)).containsExactly(0, 0, 0);
    assertThat(ExactAllocation.of(List.of(), 3)).isEmpty();
  }

  @Test
  void ofEqualPlansTheOneWithTheFewestWorkersForTheFirst() {
    Table job = any(8, 4);
    assertThat(ExactAllocation.of(List.of(job, job), 3)).containsExactly(1, 2);
    assertThat(ExactAllocation.of(List.of(any(3, 3, 3)), 3)).containsExactly(1);
  }

  @Test
  void timesMustBeFinite() {
    assertThatThrownBy(() -> ExactAllocation.of(List.of(any(3), any(5, Double.NaN)), 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("job 1 takes NaN s with 2 workers; times must be finite");
  }

  @Test
  void isTheBestOfAllPlans() {
    Seeds.each(
        500,
        (random, seed) -> {
          int gpus = random.nextInt(1, 13);
          List<Table> jobs = jobs(random, random.nextInt(1, 5), 8);
          List<Table> doubling = jobs.stream().map(Table::doubling).toList();
          assertThat(exactSeconds(jobs, gpus)).isCloseTo(byTrying(jobs, gpus), within(1e-9));
          assertThat(exactSeconds(doubling, gpus))
              .isCloseTo(byTrying(doubling, gpus), within(1e-9));
          assertThat(Arrays.stream(ExactAllocation.of(jobs, gpus)).sum()).isLessThanOrEqualTo(gpus);
        });
  }

  @Test
  void noGreedyRuleIsBetter() {
    Seeds.each(
        300,
        (random, seed) -> {
          int gpus = random.nextInt(1, 65);
          List<Table> jobs = jobs(random, random.nextInt(1, 13), 32);
          List<Table> doubling = jobs.stream().map(Table::doubling).toList();
          double exact = exactSeconds(jobs, gpus) - 1e-9;
          double powers = exactSeconds(doubling, gpus) - 1e-9;
          double greedy = ExactAllocation.totalSeconds(jobs, greedy(jobs, gpus));
          double doubled = ExactAllocation.totalSeconds(doubling, greedy(doubling, gpus));
          assertThat(exact).isLessThanOrEqualTo(powers).isLessThanOrEqualTo(greedy);
          assertThat(powers).isLessThanOrEqualTo(doubled);
        });
  }

  /** Where each worker more saves less than the one before, one at a time is the best. */
  @Test
  void oneAtATimeIsTheBestWhereGainsFall() {
    Seeds.each(
        400,
        (random, seed) -> {
          int gpus = random.nextInt(1, 41);
          List<Table> jobs = new ArrayList<>();
          for (int i = random.nextInt(1, 10); i > 0; i--) {
            int most = random.nextInt(1, 17);
            jobs.add(new Table(random.nextInt(1, most + 1), false, convex(random, most)));
          }
          assertThat(ExactAllocation.totalSeconds(jobs, greedy(jobs, gpus)))
              .isCloseTo(exactSeconds(jobs, gpus), within(1e-9));
        });
  }

  @Test
  void constraintProgrammingFindsTheSame() {
    assumeThat(Search.available()).as("OR-Tools' native part loads").isTrue();
    Seeds.each(
        20,
        (random, seed) -> {
          int gpus = random.nextInt(12, 33);
          List<Table> jobs = new ArrayList<>();
          for (int i = 0; i < 6; i++) {
            int least = random.nextInt(1, 3);
            jobs.add(new Table(least, false, whole(random, random.nextInt(least, 17))));
          }
          assertThat(exactSeconds(jobs, gpus)).isEqualTo(byConstraints(jobs, gpus));
        });
  }

  /** All jobs' least numbers must fit. */
  private static double byConstraints(List<Table> jobs, int gpus) {
    CpModel model = new CpModel();
    LinearExprBuilder workers = LinearExpr.newBuilder();
    LinearExprBuilder seconds = LinearExpr.newBuilder();
    for (Table job : jobs) {
      List<BoolVar> sizes = new ArrayList<>();
      for (int w = job.least; w <= job.seconds.length; w++) {
        BoolVar has = model.newBoolVar("");
        workers.addTerm(has, w);
        seconds.addTerm(has, (long) job.seconds(w));
        sizes.add(has);
      }
      model.addExactlyOne(sizes.toArray(BoolVar[]::new));
    }
    model.addLessOrEqual(workers, gpus);
    model.minimize(seconds);
    CpSolver solver = new CpSolver();
    solver.getParameters().setNumWorkers(1).setRandomSeed(1);
    assertThat(solver.solve(model)).isEqualTo(CpSolverStatus.OPTIMAL);
    return solver.objectiveValue();
  }

  private static double byTrying(List<Table> jobs, int gpus) {
    List<Table> running = new ArrayList<>();
    int left = gpus;
    for (Table job : jobs) {
      if (job.least <= left) {
        running.add(job);
        left -= job.least;
      }
    }
    return byTrying(running, 0, gpus);
  }

  private static double byTrying(List<Table> jobs, int from, int left) {
    if (from == jobs.size()) {
      return 0;
    }
    Table job = jobs.get(from);
    double best = Double.POSITIVE_INFINITY;
    for (int w = job.least, before = 0; w > before && w <= left; before = w, w = job.next(w)) {
      best = Math.min(best, job.seconds(w) + byTrying(jobs, from + 1, left - w));
    }
    return best;
  }

  private static List<Table> jobs(RandomGenerator random, int count, int most) {
    List<Table> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int least = random.nextInt(3) > 0 ? 1 : random.nextInt(1, 5);
      int own = random.nextInt(least, most + 1);
      double[] seconds =
          switch (random.nextInt(3)) {
            case 0 -> whole(random, own);
            case 1 -> convex(random, own);
            default -> fitted(random, own);
          };
      jobs.add(new Table(least, false, seconds));
    }
    return jobs;
  }

  /** Up and down, with ties. */
  private static double[] whole(RandomGenerator random, int most) {
    return IntStream.range(0, most).mapToDouble(_ -> random.nextInt(30)).toArray();
  }

  private static double[] convex(RandomGenerator random, int most) {
    double[] saved =
        IntStream.range(0, most).mapToDouble(_ -> random.nextInt(100)).sorted().toArray();
    double[] seconds = new double[most];
    double total = 1;
    for (int w = most; w >= 1; w--) {
      seconds[w - 1] = total;
      total += saved[most - w];
    }
    return seconds;
  }

  private static double[] fitted(RandomGenerator random, int most) {
    AllReduce kind = KINDS.get(random.nextInt(KINDS.size()));
    FittedExchange exchange =
        FittedExchange.anywhere(
            kind, random.nextDouble(), random.nextDouble(), 0.2 * random.nextDouble());
    double epochs = random.nextInt(1, 200);
    return IntStream.rangeClosed(1, most)
        .mapToDouble(w -> epochs * exchange.together(1, exchange.insideSeconds(w)) / w)
        .toArray();
  }
}
