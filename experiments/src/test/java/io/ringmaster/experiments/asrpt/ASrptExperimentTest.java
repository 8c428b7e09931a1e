package io.ringmaster.experiments.asrpt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.model.Jobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ASrptExperimentTest {
  private static final ASrptExperiment EXPERIMENT =
      new ASrptExperiment(StandIns.SMALL, StandIns::of);
  private static final AtomicLong DONE = new AtomicLong();
  private static final List<String> BASELINES =
      List.of("spjf", "spwf", "wcs-duration", "wcs-workload", "wcs-subtime");
  private static Experiment.Results results = new Experiment.Results(List.of(), List.of());

  @BeforeAll
  static void run() {
    results = EXPERIMENT.run(1, 2, done -> DONE.accumulateAndGet(done, Math::max));
  }

  private record Key(Map<String, Object> setting, String policy) {}

  private static List<String> policies() {
    List<String> policies = new ArrayList<>(List.of("a-srpt", "a-srpt-literal"));
    for (String form : List.of("", "-reserved", "-first-fit", "-random")) {
      BASELINES.forEach(baseline -> policies.add(baseline + form));
    }
    return policies;
  }

  private static Map<String, Object> setting(double load, int bandwidth, String prediction) {
    return Map.of("load", load, "bandwidth", bandwidth, "prediction", prediction);
  }

  /** Names as the documents have them, and nothing else. */
  @Test
  void everyFigureIsThereOnce() {
    List<Map<String, Object>> settings = new ArrayList<>();
    for (int bandwidth : new int[] {10, 25, 100}) {
      for (double load : new double[] {0.7, 0.9, 1.1}) {
        settings.add(setting(load, bandwidth, "perfect"));
      }
    }
    for (String prediction : List.of("predicted", "group-mean", "noise:0.5")) {
      settings.add(setting(0.9, 25, prediction));
    }
    List<Key> expected = new ArrayList<>();
    settings.forEach(s -> policies().forEach(policy -> expected.add(new Key(s, policy))));
    List<Key> found = new ArrayList<>();
    results.rows().forEach(row -> found.add(new Key(row.setting(), row.policy())));
    assertThat(found).containsExactlyElementsOf(expected);
    assertThat(results.rows())
        .allMatch(row -> row.metric().equals("jct_s") && row.paper() == null)
        .allMatch(row -> List.copyOf(row.setting().keySet()).getFirst().equals("load"));
    assertThat(DONE.get()).isEqualTo(EXPERIMENT.steps(1));
  }

  @Test
  void settingsOfTheStrategies() {
    assertThat(Strategy.ALL)
        .contains(
            new Strategy("a-srpt", "a-srpt", Map.of()),
            new Strategy("a-srpt-literal", "a-srpt", Map.of("mode", "literal")),
            new Strategy("spwf", "spwf", Map.of()),
            new Strategy("wcs-subtime-reserved", "wcs-subtime", Map.of("reserve", "true")),
            new Strategy("spjf-first-fit", "spjf", Map.of("placement", "first-fit")),
            new Strategy("wcs-duration-random", "wcs-duration", Map.of("placement", "random")));
  }

  private static double mean(double load, int bandwidth, String policy) {
    return results.rows().stream()
        .filter(row -> row.setting().equals(setting(load, bandwidth, "perfect")))
        .filter(row -> row.policy().equals(policy))
        .mapToDouble(row -> row.figure().mean())
        .findFirst()
        .orElseThrow();
  }

  /** The stand-in of a-srpt passes over what does not fit, that of plain baselines does not. */
  @Test
  void boundsAreTheLargestRatios() {
    assertThat(results.checks())
        .extracting(Experiment.Check::limit)
        .containsExactly(1.02, 0.5, 0.95, 1.15, 1.0);
    double light = 0;
    double slow = 0;
    double fast = 0;
    for (int bandwidth : new int[] {10, 25, 100}) {
      light = Math.max(light, mean(0.7, bandwidth, "a-srpt") / mean(0.7, bandwidth, "spjf"));
      for (double load : new double[] {0.9, 1.1}) {
        double ratio = mean(load, bandwidth, "a-srpt") / mean(load, bandwidth, "spwf");
        slow = bandwidth < 100 ? Math.max(slow, ratio) : slow;
        fast = bandwidth == 100 ? Math.max(fast, ratio) : fast;
      }
    }
    double[] expected = {light, slow, fast, 1, 1};
    for (int i = 0; i < expected.length; i++) {
      Experiment.Check check = results.checks().get(i);
      assertThat(check.measured()).as(check.what()).isCloseTo(expected[i], within(1e-12));
      assertThat(check.holds()).isEqualTo(expected[i] <= check.limit());
    }
    assertThat(light).isNotEqualTo(1);
  }

  @Test
  void threadsChangeNothing() {
    assertThat(EXPERIMENT.run(1, 1, _ -> {})).isEqualTo(results);
  }

  /** A mean is at least that of what jobs take alone. */
  @Test
  void jobsTakeAtLeastTheirTime() {
    Jobs jobs = new ASrptSetting(StandIns.SMALL, 0.9, 25, Prediction.PERFECT).draw(1).jobs();
    double alone = 0;
    for (int job = 0; job < jobs.size(); job++) {
      alone += jobs.work(job) / jobs.size();
    }
    for (Row row : results.rows()) {
      assertThat(row.figure().mean()).isGreaterThan(alone - 1e-6);
    }
  }

  @Test
  void plotsHaveTheNumbersOfTheRows() {
    assertThat(results.plots())
        .extracting(Plot::name)
        .containsExactly(
            "jct-by-load-10",
            "jct-by-load-25",
            "jct-by-load-100",
            "jct-by-load-reserved-10",
            "jct-by-load-reserved-25",
            "jct-by-load-reserved-100",
            "jct-by-bandwidth",
            "jct-by-load-all-10",
            "jct-by-load-all-25",
            "jct-by-load-all-100",
            "jct-by-prediction");
    for (Plot plot : results.plots()) {
      int points = plot.name().equals("jct-by-prediction") ? 4 : 3;
      assertThat(plot.series()).allMatch(s -> s.points().size() == points && !s.paper());
    }
    Plot.Series first = results.plots().getFirst().series().getFirst();
    assertThat(first.name()).isEqualTo("a-srpt");
    assertThat(first.points()).extracting(Plot.Point::x).containsExactly(0.7, 0.9, 1.1);
    assertThat(first.points().get(1).y()).isCloseTo(mean(0.9, 10, "a-srpt") / 60, within(1e-9));
  }

  /** A change of draw 1 is a change of what is reported. */
  @Test
  void firstDrawStaysTheSame() {
    ASrptSetting setting = new ASrptSetting(StandIns.SMALL, 0.9, 25, Prediction.PERFECT);
    Strategy fifo = new Strategy("fifo", "fifo", Map.of());
    assertThat(new ASrptCell(setting, fifo).completionSeconds(1))
        .isCloseTo(1539.068566666667, within(1e-6));
  }
}
