package io.ringmaster.policy.slots;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.Network;
import io.ringmaster.policy.Shares;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationTest {
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
  }

  private static Table doubles(double... seconds) {
    return new Table(1, true, seconds);
  }

  /** Our numbers for the paper's ResNet-110; 3, 5, 6 and 7 workers are never asked for. */
  private static Table resnet(double epochs) {
    double[] epochSeconds = {
      138, 81.9, Double.NaN, 47.25, Double.NaN, Double.NaN, Double.NaN, 29.6
    };
    return doubles(Arrays.stream(epochSeconds).map(seconds -> epochs * seconds).toArray());
  }

  private static int[] allocate(int gpus, List<Table> jobs) {
    Shares shares = new Shares(Cluster.uniform(1, gpus, Network.None.USUAL, 0));
    return Allocation.of(jobs, shares, shares.holding());
  }

  private static int[] allocate(int gpus, Table... jobs) {
    return allocate(gpus, List.of(jobs));
  }

  /**
   * For each worker added, an epoch is shorter by 138 - 81.9 = 56.1 s from 1 to 2 workers, by (81.9
   * - 47.25) / 2 = 17.325 s to 4, by (47.25 - 29.6) / 4 = 4.4125 s to 8. Two equal jobs: both have
   * 2 before one has 4, both 4 before one has 8, and the first is served first. With 7 the second
   * has no room for 2 more, with 11 the first none for 4 more.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 0",
    "2, 1, 1",
    "3, 2, 1",
    "4, 2, 2",
    "5, 2, 2",
    "6, 4, 2",
    "7, 4, 2",
    "8, 4, 4",
    "11, 4, 4",
    "12, 8, 4",
    "15, 8, 4",
    "16, 8, 8",
    "64, 8, 8"
  })
  void ofTwoEqualJobsTheFirstGrowsFirst(int gpus, int first, int second) {
    assertThat(allocate(gpus, resnet(160), resnet(160))).containsExactly(first, second);
  }

  /**
   * Ten epochs and one. The long one saves 561 s, then 173.25 s, then 44.1 s for each worker added,
   * the short one 56.1 s, 17.3 s, 4.4 s. So the order is 1 + 1, 2 + 1, 4 + 1, 4 + 2, 8 + 2, 8 + 4,
   * 8 + 8; with 8 GPUs there is no room for 8 + 2, and 4 + 4 comes instead.
   */
  @ParameterizedTest
  @CsvSource({
    "2, 1, 1",
    "3, 2, 1",
    "4, 2, 2",
    "5, 4, 1",
    "6, 4, 2",
    "7, 4, 2",
    "8, 4, 4",
    "9, 4, 4",
    "10, 8, 2",
    "12, 8, 4",
    "16, 8, 8"
  })
  void theLongerJobGrowsFirst(int gpus, int longer, int shorter) {
    assertThat(allocate(gpus, resnet(10), resnet(1))).containsExactly(longer, shorter);
    assertThat(allocate(gpus, resnet(1), resnet(10))).containsExactly(shorter, longer);
  }

  /**
   * The first saves 10 s with one worker more, the second 15 s with two more: 10 s and 7.5 s for
   * each. Then one GPU is left, and neither can use it.
   */
  @Test
  void whatCountsIsTheTimeSavedForEachWorkerAdded() {
    Table small = doubles(30, 20, 20, 19);
    Table large = new Table(2, true, 99, 40, 99, 25);
    assertThat(allocate(5, small, large)).containsExactly(2, 2);
    assertThat(allocate(5, large, small)).containsExactly(2, 2);
  }

  /** From 4 to 8 needs four of the three that are left; the others still have theirs. */
  @Test
  void aStepThatDoesNotFitStopsNobodyElse() {
    Table wide = new Table(4, true, 0, 0, 0, 1000, 0, 0, 0, 100);
    assertThat(allocate(9, wide, doubles(10, 9), doubles(10, 9.5))).containsExactly(4, 2, 2);
  }

  /** The second needs four, two are left; the third needs two. */
  @Test
  void aJobWhoseLeastDoesNotFitIsPassedOver() {
    Table wide = new Table(4, true, 9, 9, 9, 9);
    Table pair = new Table(2, true, 9, 9);
    assertThat(allocate(6, wide, wide, pair)).containsExactly(4, 0, 2);
  }

  @Test
  void ofMoreJobsThanGpusTheFirstRun() {
    assertThat(allocate(3, resnet(1), resnet(2), resnet(3), resnet(400)))
        .containsExactly(1, 1, 1, 0);
    assertThat(allocate(3)).isEmpty();
  }

  @Test
  void tiesGoToTheEarlier() {
    assertThat(allocate(4, doubles(8, 4), doubles(8, 4), doubles(8, 4))).containsExactly(2, 1, 1);
    // 4 s for one worker more, and 8 s for two more: a tie as well.
    Table pair = new Table(2, true, 0, 12, 0, 4);
    assertThat(allocate(5, pair, doubles(8, 4))).containsExactly(4, 1);
    assertThat(allocate(5, doubles(8, 4), pair)).containsExactly(2, 2);
  }

  /** Three workers are slower than two, and four are faster: adding one at a time stops at two. */
  @Test
  void doublingJumpsOverANumberThatIsSlow() {
    double[] seconds = {100, 60, 65, 35};
    assertThat(allocate(4, new Table(1, false, seconds))).containsExactly(2);
    assertThat(allocate(4, new Table(1, true, seconds))).containsExactly(4);
  }

  /** Two workers are slower than one: doubling stops too, though four would be the fastest. */
  @Test
  void doublingStopsWhereTwiceTheWorkersAreSlower() {
    assertThat(allocate(4, doubles(100, 110, 90, 30))).containsExactly(1);
    assertThat(allocate(4, doubles(100, 100, 90, 30))).containsExactly(1);
  }

  @Test
  void aLeastThatIsNoPowerOfTwoIsDoubledToo() {
    double[] seconds = IntStream.rangeClosed(1, 12).mapToDouble(w -> 12.0 / w).toArray();
    assertThat(allocate(13, new Table(3, true, seconds))).containsExactly(12);
  }

  @Test
  void doublingKeepsToPowersOfTwoAndToTheGpus() {
    Seeds.each(
        400,
        (random, seed) -> {
          int gpus = random.nextInt(1, 65);
          List<Table> jobs = jobs(random, true);
          int[] workers = allocate(gpus, jobs);
          assertThat(Arrays.stream(workers).sum()).isLessThanOrEqualTo(gpus);
          for (int i = 0; i < workers.length; i++) {
            Table job = jobs.get(i);
            assertThat(Integer.bitCount(workers[i])).isLessThanOrEqualTo(1);
            assertThat(workers[i]).isLessThanOrEqualTo(job.seconds.length);
            assertThat(workers[i] == 0 || job.seconds(workers[i]) <= job.seconds(job.least))
                .as("job %d is no slower than with its least", i)
                .isTrue();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingThatSavesTimeAndFitsIsLeft(boolean doubling) {
    Seeds.each(
        400,
        (random, seed) -> {
          int gpus = random.nextInt(1, 65);
          List<Table> jobs = jobs(random, doubling);
          int[] workers = allocate(gpus, jobs);
          int left = gpus - Arrays.stream(workers).sum();
          for (int i = 0; i < workers.length; i++) {
            Table job = jobs.get(i);
            int next = workers[i] == 0 ? job.least : job.next(workers[i]);
            boolean saves =
                workers[i] == 0
                    || (next > workers[i] && job.seconds(next) < job.seconds(workers[i]));
            assertThat(saves && next - workers[i] <= left).as("job %d may grow", i).isFalse();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isWhatLookingAtAllJobsEachTimeGives(boolean doubling) {
    Seeds.each(
        600,
        (random, seed) -> {
          int gpus = random.nextInt(1, 65);
          List<Table> jobs = jobs(random, doubling);
          assertThat(allocate(gpus, jobs)).containsExactly(plain(gpus, jobs));
        });
  }

  /** ALLOCATE as it is written down: each time all jobs are looked at. */
  private static int[] plain(int gpus, List<Table> jobs) {
    int[] workers = new int[jobs.size()];
    int left = gpus;
    for (int i = 0; i < workers.length; i++) {
      if (jobs.get(i).least <= left) {
        workers[i] = jobs.get(i).least;
        left -= workers[i];
      }
    }
    while (true) {
      int best = -1;
      double most = 0;
      for (int i = 0; i < workers.length; i++) {
        int next = workers[i] == 0 ? 0 : jobs.get(i).next(workers[i]);
        int added = next - workers[i];
        if (added > 0 && added <= left) {
          double gain = (jobs.get(i).seconds(workers[i]) - jobs.get(i).seconds(next)) / added;
          if (gain > most) {
            best = i;
            most = gain;
          }
        }
      }
      if (best < 0) {
        return workers;
      }
      left -= jobs.get(best).next(workers[best]) - workers[best];
      workers[best] = jobs.get(best).next(workers[best]);
    }
  }

  /** Up to 12 jobs that begin with 1, 2 or 4 workers. */
  private static List<Table> jobs(RandomGenerator random, boolean doubles) {
    List<Table> jobs = new ArrayList<>();
    int count = random.nextInt(1, 13);
    for (int i = 0; i < count; i++) {
      int least = random.nextInt(3) > 0 ? 1 : 1 << random.nextInt(3);
      jobs.add(new Table(least, doubles, curve(random, random.nextInt(least, 33))));
    }
    return jobs;
  }

  /** Whole numbers with many ties that go up and down, or a model's times. */
  private static double[] curve(RandomGenerator random, int most) {
    if (random.nextBoolean()) {
      return IntStream.range(0, most).mapToDouble(_ -> random.nextInt(40)).toArray();
    }
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
