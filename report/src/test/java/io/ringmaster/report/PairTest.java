package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PairTest {
  private static Jobs jobs(int[] gpus, double[] seconds, String... users) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < gpus.length; i++) {
      builder.add("j" + i, i, gpus[i], gpus[i], gpus[i], seconds[i], true, "", users[i], "");
    }
    return builder.build();
  }

  /**
   * Five jobs under a and b.
   *
   * <pre>
   * job  GPUs  ideal   user      a       b   b - a
   * j0      1    300   ann     300     900    +600  sooner
   * j1      1   1800   ann    1800  1800.5    +0.5  the same: within a second
   * j2      2   5400   bob    9000    7200   -1800  later
   * j3      4  30000   bob   5e6+4     5e6      -4  the same: within a millionth of 5e6 s, 5 s
   * j4      4  30000         36000   36060     +60  sooner
   * </pre>
   *
   * The sum is 600 + 0.5 - 1800 - 4 + 60 = -1143.5, the mean -228.7.
   */
  @Test
  void fiveJobsByHand() {
    double[] ideal = {300, 1800, 5400, 30000, 30000};
    SeededJobs round =
        new SeededJobs(
            1,
            jobs(new int[] {1, 1, 2, 4, 4}, ideal, "ann", "ann", "bob", "bob", ""),
            ideal,
            new double[][] {{300, 1800, 9000, 5e6 + 4, 36000}, {900, 1800.5, 7200, 5e6, 36060}});
    List<Grouping> groupings = Grouping.all(List.of(round));
    Pair pair = Pair.of(List.of(round), groupings, 0, 1);
    assertThat(pair.jctDifference().mean()).isCloseTo(-228.7, within(1e-9));
    assertThat(pair.jctDifference().ci95()).isZero();
    assertThat(pair.sooner()).isEqualTo(2);
    assertThat(pair.later()).isEqualTo(1);
    // Sizes 1, 2 and 3-4; lengths under 10 min, to 1 h, to 8 h, over; bob has 5400 * 2 + 30000 * 4
    // GPU seconds, the one without a name 30000 * 4, ann 2100.
    assertThat(groupings.get(0).labels()).containsExactly("1", "2", "3-4");
    assertThat(groupings.get(2).labels()).containsExactly("bob", "(none)", "ann");
    assertThat(pair.soonerByGroup())
        .isDeepEqualTo(new int[][] {{1, 0, 1}, {1, 0, 0, 1}, {0, 1, 1}});
    assertThat(pair.laterByGroup()).isDeepEqualTo(new int[][] {{0, 1, 0}, {0, 0, 1, 0}, {1, 0, 0}});
    assertThat(pair.gains()).extracting(Pair.Member::job).containsExactly(0, 4);
    assertThat(pair.losses()).extracting(Pair.Member::job).containsExactly(2);
    // In order: -1800, -4, 0.5, 60, 600. Half of the jobs are below the third.
    assertThat(pair.quantiles()[0]).isEqualTo(-1800);
    assertThat(pair.quantiles()[pair.quantiles().length / 2]).isEqualTo(0.5);
    assertThat(pair.quantiles()[pair.quantiles().length - 1]).isEqualTo(600);
  }

  /** Differences of 10, 12 and 17 s: mean 13, deviations -3, -1, 4, variance 26 / 2 = 13. */
  @Test
  void anIntervalIsOverSeeds() {
    double[] ideal = {100};
    Jobs one = jobs(new int[] {1}, ideal, "");
    List<SeededJobs> rounds = new ArrayList<>();
    for (double difference : new double[] {10, 12, 17}) {
      double[][] jct = {{100}, {100 + difference}};
      rounds.add(new SeededJobs(rounds.size(), one, ideal, jct));
    }
    Pair pair = Pair.of(rounds, Grouping.all(rounds), 0, 1);
    assertThat(pair.jctDifference().mean()).isCloseTo(13, within(1e-9));
    // Student's t for 2 degrees of freedom is 4.303; 4.303 * sqrt(13 / 3) = 8.957.
    assertThat(pair.jctDifference().ci95()).isCloseTo(8.957, within(1e-3));
    assertThat(pair.sooner()).isEqualTo(3);
    assertThat(pair.gains()).extracting(Pair.Member::round).containsExactly(2, 1, 0);
  }

  /** Of jobs that gain the same, those that came first are named. */
  @Test
  void noMoreThanTenAreNamed() {
    int n = 14;
    double[] ideal = new double[n];
    Arrays.fill(ideal, 50);
    double[] slow = new double[n];
    Arrays.fill(slow, 80);
    slow[13] = 90;
    int[] gpus = new int[n];
    Arrays.fill(gpus, 1);
    String[] users = new String[n];
    Arrays.fill(users, "");
    SeededJobs round =
        new SeededJobs(1, jobs(gpus, ideal, users), ideal, new double[][] {ideal, slow});
    Pair pair = Pair.of(List.of(round), Grouping.all(List.of(round)), 0, 1);
    assertThat(pair.gains())
        .extracting(Pair.Member::job)
        .containsExactly(13, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(pair.losses()).isEmpty();
  }

  @Test
  void whatIsSoonerOneWayIsLaterTheOther() {
    Seeds.each(
        200,
        (random, _) -> {
          List<SeededJobs> rounds = new ArrayList<>();
          for (int r = 0; r <= random.nextInt(3); r++) {
            rounds.add(round(random, r));
          }
          List<Grouping> groupings = Grouping.all(rounds);
          int jobs = rounds.stream().mapToInt(r -> r.jobs().size()).sum();
          Pair forth = Pair.of(rounds, groupings, 0, 1);
          Pair back = Pair.of(rounds, groupings, 1, 0);
          assertThat(back.sooner()).isEqualTo(forth.later());
          assertThat(back.later()).isEqualTo(forth.sooner());
          assertThat(back.soonerByGroup()).isDeepEqualTo(forth.laterByGroup());
          assertThat(back.laterByGroup()).isDeepEqualTo(forth.soonerByGroup());
          assertThat(back.jctDifference().mean())
              .isCloseTo(-forth.jctDifference().mean(), within(1e-6));
          assertThat(forth.sooner() + forth.later()).isBetween(0, jobs);
          assertThat(forth.sooner() + forth.later() + same(rounds)).isEqualTo(jobs);
          for (int g = 0; g < groupings.size(); g++) {
            assertThat(Arrays.stream(forth.soonerByGroup()[g]).sum()).isEqualTo(forth.sooner());
            assertThat(Arrays.stream(forth.laterByGroup()[g]).sum()).isEqualTo(forth.later());
          }
          // The jobs that gain most one way lose most the other, ties and all.
          assertThat(back.losses())
              .extracting(Pair.Member::job)
              .isEqualTo(forth.gains().stream().map(Pair.Member::job).toList());
          assertThat(forth.quantiles()).isSorted();
        });
  }

  private static int same(List<SeededJobs> rounds) {
    int same = 0;
    for (SeededJobs round : rounds) {
      for (int job = 0; job < round.jobs().size(); job++) {
        double a = round.jctSeconds()[0][job];
        double b = round.jctSeconds()[1][job];
        same += Math.abs(a - b) <= 1 || Math.abs(a - b) <= 1e-6 * Math.max(a, b) ? 1 : 0;
      }
    }
    return same;
  }

  /** Times that often agree, and sometimes nearly. */
  private static SeededJobs round(RandomGenerator random, int seed) {
    int n = 1 + random.nextInt(40);
    int[] gpus = new int[n];
    double[] ideal = new double[n];
    String[] users = new String[n];
    double[][] jct = new double[2][n];
    for (int i = 0; i < n; i++) {
      gpus[i] = 1 + random.nextInt(20);
      ideal[i] = Math.exp(random.nextDouble() * 12);
      users[i] = random.nextInt(4) == 0 ? "" : "u" + random.nextInt(15);
      jct[0][i] = ideal[i] * (1 + random.nextInt(3));
      jct[1][i] =
          switch (random.nextInt(4)) {
            case 0 -> jct[0][i];
            case 1 -> jct[0][i] + random.nextDouble() * 2 - 1;
            case 2 -> jct[0][i] * (1 + (random.nextDouble() - 0.5) * 4e-6);
            default -> ideal[i] * (1 + random.nextInt(5));
          };
    }
    return new SeededJobs(seed, jobs(gpus, ideal, users), ideal, jct);
  }
}
