package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ComparisonReportTest {
  private static final ComparisonReport.Facts FACTS =
      new ComparisonReport.Facts(
          "1",
          "c",
          "lead",
          true,
          List.of(1L),
          List.of(),
          List.of(),
          1,
          1,
          List.of(),
          List.of("1"),
          null,
          List.of());

  /** Two rows of four cells each, up to 8, 16 and 32 s: 2, 4 and 8 s a cell. */
  private static List<Grid.Cells> pictures() {
    String layer = Base64.getEncoder().encodeToString(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    List<Grid.Cells> pictures = new ArrayList<>();
    for (double binSeconds : new double[] {2, 4, 8}) {
      pictures.add(new Grid.Cells(0, binSeconds, 4, List.of(), new int[0], layer, layer, "", ""));
    }
    return pictures;
  }

  private static ComparisonReport.Policy policy(String name, double makespan, double... quantiles) {
    List<ComparedRun> runs = new ArrayList<>();
    for (double quantile : quantiles) {
      double[] all = {quantile};
      runs.add(new ComparedRun(null, all, all, makespan, pictures()));
    }
    return new ComparisonReport.Policy(name, "none", Map.of(), name, runs);
  }

  private static ComparisonReport.Pictures pictures(double fast, double slow) {
    ComparisonReport.Document page =
        ComparisonReport.of(
            FACTS, List.of(policy("a", fast, 1), policy("b", slow, 1)), List.of(), 1);
    return Objects.requireNonNull(page.pictures());
  }

  private static byte[] cells(ComparisonReport.Pictures pictures) {
    return Base64.getDecoder().decode(pictures.grids().getFirst().busy());
  }

  /** 40 s is over 2.5 times 10 s, so 20 s are shown: three cells of 8 s. */
  @Test
  void picturesShowTwiceTheShortestIfTheOthersTakeMuchLonger() {
    ComparisonReport.Pictures pictures = pictures(10, 40);
    assertThat(pictures.seconds()).isEqualTo(24.0);
    assertThat(cells(pictures)).containsExactly(1, 2, 3, 5, 6, 7);
  }

  /** 12 s is not, so all of it is shown: three cells of 4 s. */
  @Test
  void picturesShowAllIfTheyTakeAboutAsLong() {
    ComparisonReport.Pictures pictures = pictures(10, 12);
    assertThat(pictures.seconds()).isEqualTo(12.0);
    assertThat(cells(pictures)).containsExactly(1, 2, 3, 5, 6, 7);
  }

  @Test
  void quantilesAreMeansOverSeeds() {
    ComparisonReport.Document page =
        ComparisonReport.of(FACTS, List.of(policy("a", 10, 2, 4, 9)), List.of(), 1);
    // (2 + 4 + 9) / 3 = 5.
    assertThat(page.policies().getFirst().jct()).containsExactly(5);
  }

  /** Too many jobs to keep, or a single policy: no pairs, and the page says why. */
  @Test
  void withoutJobsThereAreNoPairs() {
    ComparisonReport.Document page =
        ComparisonReport.of(FACTS, List.of(policy("a", 10, 1), policy("b", 10, 1)), List.of(), 1);
    assertThat(page.pairs()).isNull();
    assertThat(page.title()).isEqualTo("2 policies on c");
  }
}
