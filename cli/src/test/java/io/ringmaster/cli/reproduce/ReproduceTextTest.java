package io.ringmaster.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.simulator.Statistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class ReproduceTextTest {
  /** Three rows: the second policy has no figure in the second column. */
  private record Small(String columns) implements Experiment {
    @Override
    public String name() {
      return "small";
    }

    @Override
    public String summary() {
      return "Small.";
    }

    @Override
    public String source() {
      return "nobody";
    }

    @Override
    public long steps(int draws) {
      return draws;
    }

    @Override
    public Results run(int draws, int threads, LongConsumer done) {
      return new Results(
          List.of(row(0.7, 10, "a", 100), row(0.9, 10, "a", 250), row(0.7, 10, "b", 70)),
          List.of(),
          List.of(new Check("a over b", 1.4286, 1.5), new Check("b over a", 0.7, 0.5)));
    }

    private static Row row(double load, int bandwidth, String policy, double mean) {
      Map<String, Object> setting = new LinkedHashMap<>();
      setting.put("load", load);
      setting.put("bandwidth", bandwidth);
      return new Row(setting, policy, KnownLengths.KNOWN, "jct_s", new Statistics(mean, 5), null);
    }
  }

  private static String text(String columns) {
    Experiment experiment = new Small(columns);
    return ReproduceText.of(experiment, 3, experiment.run(3, 1, _ -> {}), 80);
  }

  @Test
  void aSettingMayBeTheColumns() {
    assertThat(text("load"))
        .isEqualTo(
            """
            small: mean of 3 draws ± half of the 95 % interval
            nobody

            jct_s, bandwidth 10
            policy  lengths    load 0.7   load 0.9
            ------  -------  ----------  ---------
            a       known     100 ±5.00  250 ±5.00
            b       known    70.0 ±5.00

            expected  at most  measured
            --------  -------  --------  -------------
            a over b     1.50     1.429          holds
            b over a     0.50     0.700  does not hold

            Verdict: 1 of 2 things that were expected do not hold: b over a.
            What it means is in docs/experiments/small.md.
            """);
  }

  @Test
  void aTableWithoutOtherSettingsIsCalledAsItsMetric() {
    Row row =
        new Row(
            Map.of("load", 0.7), "a", KnownLengths.KNOWN, "jct_s", new Statistics(100, 5), null);
    assertThat(
            ReproduceText.of(
                new Small("load"), 3, new Experiment.Results(List.of(row), List.of()), 80))
        .contains("\njct_s\npolicy  lengths   load 0.7\n");
  }

  @Test
  void otherwisePoliciesStandBelowTheirSetting() {
    assertThat(text(""))
        .contains(
            "small: mean of 3 draws ± half of the 95 % interval\n",
            "policy  lengths       jct_s\n",
            "load 0.9, bandwidth 10\n  a     known     250 ±5.00\n",
            "b over a     0.50     0.700  does not hold");
  }

  @Test
  void thePapersFigureStandsBesideOursIfThereIsOne() {
    Row row =
        new Row(
            Map.of("load", 0.7), "a", KnownLengths.KNOWN, "jct_s", new Statistics(100, 5), 95.0);
    assertThat(
            ReproduceText.of(new Small(""), 3, new Experiment.Results(List.of(row), List.of()), 80))
        .contains(
            "interval; the paper's figure beside it",
            "jct_s  paper: jct_s",
            "Of 1 figure that the paper gives, ours are within 5 % of 0 and within");
  }

  @Test
  void withoutAnythingToHoldItAgainstTheVerdictNamesTheBest() {
    Experiment small = new Small("");
    Experiment.Results bare = new Experiment.Results(small.run(3, 1, _ -> {}).rows(), List.of());
    assertThat(ReproduceText.of(small, 3, bare, 80))
        .contains("Verdict: Least jct_s: b in 1, a in 1 of 2 settings.");
  }
}
