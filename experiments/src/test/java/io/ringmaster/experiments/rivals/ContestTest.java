package io.ringmaster.experiments.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.experiments.Row;
import io.ringmaster.workload.Generated;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What comes of a cell, from outcomes by hand. */
class ContestTest {
  private static final Map<String, List<Standing>> OUTCOMES =
      Map.of(
          "maestro", List.of(standing(90, 8), standing(220, 10)),
          "srsf", List.of(standing(110, 70), standing(230, 300)),
          "srtf", List.of(standing(100, 60), standing(200, 90)),
          "las", List.of(standing(150, 5), standing(180, 7)),
          "fifo", List.of(standing(900, 0), standing(900, 0)),
          "fifo-skipping", List.of(standing(180, 0), standing(440, 0)));

  /** Staged, so that gadget is out. */
  private record Nothing() implements Contender.Workload {
    @Override
    public Map<String, Object> named() {
      return Map.of("workload", "nothing");
    }

    @Override
    public boolean staged() {
      return true;
    }

    @Override
    public Generated draw(long seed) {
      throw new IllegalStateException("never drawn");
    }
  }

  private static Standing standing(double mean, double most) {
    return new Standing(mean, 10 * mean, 5 * mean, most / 100, most);
  }

  private static List<Row> rows(String lengths) {
    return new Contest(new Nothing(), lengths, 60)
        .rows(Map.of(), c -> OUTCOMES.getOrDefault(c.name(), List.of()));
  }

  private static String line(Row row) {
    return "%s %s %s %.3f"
        .formatted(row.policy(), row.metric(), row.setting().get("rival"), row.figure().mean());
  }

  /** Over srtf, whose 300 in all are the least: (0.9 + 1.1) / 2. */
  @Test
  void theBestRivalIsThatWithTheBestMeanOverTheDraws() {
    assertThat(rows("perfect"))
        .extracting(ContestTest::line)
        .containsExactly(
            "maestro ratio_to_best_rival srtf 1.000",
            "maestro p99_ratio_to_best_rival srtf 1.000",
            "maestro largest_tenth_ratio_to_best_rival srtf 1.000",
            "maestro stops_mean srtf 0.090",
            "maestro stops_most srtf 10.000",
            "srtf stops_mean srtf 0.750",
            "srtf stops_most srtf 90.000");
  }

  @Test
  void whereLengthsAreReversedItIsAlsoOverFirstComeFirstServed() {
    Row last = rows("reversed").getLast();
    assertThat(line(last)).isEqualTo("maestro ratio_to_best_fifo fifo-skipping 0.500");
    assertThat(last.text("restart_s")).isEqualTo("60.0");
  }

  @Test
  void whatIsExpectedIsOfAllCells() {
    assertThat(new Expected(rows("perfect").subList(0, 0)).all()).isEmpty();
    List<Row> both =
        List.of(300.0, 10.0).stream()
            .flatMap(restart ->
                new Contest(new Nothing(), "reversed", restart)
                    .rows(Map.of(), c -> OUTCOMES.getOrDefault(c.name(), List.of())).stream())
            .toList();
    assertThat(new Expected(both).all())
        .extracting(check -> "%.3f %.3f".formatted(check.measured(), check.limit()))
        .containsExactly(
            "1.000 0.995", "1.000 1.010", "1.000 0.970", "10.000 10.000", "0.500 1.000");
  }
}
