package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ComparisonReportTest {
  private static final ComparisonReport.Facts FACTS =
      new ComparisonReport.Facts(
          "1", "c", "lead", true, List.of(1L), List.of(), List.of(), 1, 1, List.of(), List.of("1"));

  /** Two rows of four cells each, up to 8, 16 and 32 s: 2, 4 and 8 s a cell. */
  private static List<Map<String, Object>> pictures() {
    List<Map<String, Object>> pictures = new ArrayList<>();
    for (double binSeconds : new double[] {2, 4, 8}) {
      Map<String, Object> picture = new LinkedHashMap<>();
      picture.put("binSeconds", binSeconds);
      picture.put("bins", 4);
      for (String layer : List.of("busy", "size")) {
        picture.put(layer, Base64.getEncoder().encodeToString(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
      }
      pictures.add(picture);
    }
    return pictures;
  }

  private static ComparisonReport.Policy policy(String name, double makespan, double... quantiles) {
    List<ComparedRun> runs = new ArrayList<>();
    for (double quantile : quantiles) {
      double[] all = {quantile};
      runs.add(new ComparedRun(null, all, all, makespan, pictures()));
    }
    return new ComparisonReport.Policy(name, Map.of(), name, runs);
  }

  private static Map<?, ?> pictures(double fast, double slow) {
    Map<String, Object> page =
        ComparisonReport.of(
            FACTS, List.of(policy("a", fast, 1), policy("b", slow, 1)), List.of(), 1);
    return (Map<?, ?>) Objects.requireNonNull(page.get("pictures"));
  }

  private static byte[] cells(Map<?, ?> pictures) {
    List<?> grids = (List<?>) Objects.requireNonNull(pictures.get("grids"));
    Map<?, ?> grid = (Map<?, ?>) Objects.requireNonNull(grids.getFirst());
    return Base64.getDecoder().decode((String) Objects.requireNonNull(grid.get("busy")));
  }

  /** 40 s is over 2.5 times 10 s, so 20 s are shown: three cells of 8 s. */
  @Test
  void picturesShowTwiceTheShortestIfTheOthersTakeMuchLonger() {
    Map<?, ?> pictures = pictures(10, 40);
    assertThat(pictures.get("seconds")).isEqualTo(24.0);
    assertThat(cells(pictures)).containsExactly(1, 2, 3, 5, 6, 7);
  }

  /** 12 s is not, so all of it is shown: three cells of 4 s. */
  @Test
  void picturesShowAllIfTheyTakeAboutAsLong() {
    Map<?, ?> pictures = pictures(10, 12);
    assertThat(pictures.get("seconds")).isEqualTo(12.0);
    assertThat(cells(pictures)).containsExactly(1, 2, 3, 5, 6, 7);
  }

  @Test
  void quantilesAreMeansOverSeeds() {
    Map<String, Object> page =
        ComparisonReport.of(FACTS, List.of(policy("a", 10, 2, 4, 9)), List.of(), 1);
    List<?> policies = (List<?>) Objects.requireNonNull(page.get("policies"));
    Map<?, ?> only = (Map<?, ?>) Objects.requireNonNull(policies.getFirst());
    // (2 + 4 + 9) / 3 = 5.
    assertThat((double[]) only.get("jct")).containsExactly(5);
  }

  /** Too many jobs to keep, or a single policy: no pairs, and the page says why. */
  @Test
  void withoutJobsThereAreNoPairs() {
    Map<String, Object> page =
        ComparisonReport.of(FACTS, List.of(policy("a", 10, 1), policy("b", 10, 1)), List.of(), 1);
    assertThat(page).containsEntry("pairs", null).containsEntry("title", "2 policies on c");
  }
}
