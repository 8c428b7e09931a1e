package io.ringmaster.experiments.gadget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class GadgetExperimentTest {
  private static final GadgetExperiment EXPERIMENT = new GadgetExperiment();
  private static final AtomicLong DONE = new AtomicLong();
  private static final List<String> POLICIES =
      List.of("gadget", "fifo", "drf", "las", "fifo-elastic", "las-elastic", "optimus");
  private static Experiment.Results results = new Experiment.Results(List.of(), List.of());

  @BeforeAll
  static void run() {
    results = EXPERIMENT.run(1, 2, done -> DONE.accumulateAndGet(done, Math::max));
  }

  private record Key(Map<String, Object> setting, String policy, String metric) {}

  private static Map<String, Object> setting(
      int jobs, int servers, Goal goal, double load, int horizon, String network) {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put("jobs", jobs);
    setting.put("servers", servers);
    setting.put("utility", goal.utility());
    setting.put("weight", goal.weight());
    setting.put("load", load);
    setting.put("horizon", horizon);
    setting.put("network", network);
    return setting;
  }

  private static void expect(Set<Key> keys, Map<String, Object> setting, List<String> policies) {
    for (String policy : policies) {
      for (String metric : List.of("utility", "finished_share", "completion_s")) {
        keys.add(new Key(setting, policy, metric));
      }
      if (policy.equals("gadget")) {
        keys.add(new Key(setting, policy, "bound_ratio"));
      }
    }
  }

  @Test
  void everyFigureIsThereOnce() {
    Set<Key> expected = new HashSet<>();
    List<String> elastic = List.of("gadget", "fifo-elastic", "las-elastic", "optimus");
    for (Goal goal : Goal.ALL) {
      for (double load : new double[] {0.5, 1, 2}) {
        expect(expected, setting(20, 10, goal, load, 100, "reserved"), POLICIES);
        expect(expected, setting(50, 10, goal, load, 100, "reserved"), POLICIES);
        expect(expected, setting(50, 20, goal, load, 100, "reserved"), POLICIES);
        expect(expected, setting(100, 20, goal, load, 100, "reserved"), POLICIES);
        expect(expected, setting(160, 20, goal, load, 100, "reserved"), POLICIES);
        expect(expected, setting(160, 40, goal, load, 100, "reserved"), POLICIES);
        expect(expected, setting(100, 20, goal, load, 100, "shared"), elastic);
      }
      expect(expected, setting(100, 20, goal, 1, 50, "reserved"), POLICIES);
      expect(expected, setting(100, 20, goal, 1, 200, "reserved"), POLICIES);
      for (int weigh : new int[] {0, 1}) {
        Map<String, Object> setting = setting(100, 20, goal, 1, 100, "reserved");
        setting.put("restart_s", 30.0);
        setting.put("weigh", weigh);
        expect(expected, setting, List.of("gadget"));
      }
    }
    assertThat(DONE.get()).isEqualTo(EXPERIMENT.steps(1));
    Set<Key> found = new HashSet<>();
    results.rows().forEach(r -> found.add(new Key(r.setting(), r.policy(), r.metric())));
    assertThat(results.rows()).hasSize(expected.size());
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void figuresAreInTheirRanges() {
    for (Row row : results.rows()) {
      double most = 1;
      if (row.metric().equals("completion_s")) {
        most = 600.0 * Integer.parseInt("" + row.setting().get("horizon"));
      }
      assertThat(row.figure().mean()).as("%s", row).isBetween(0.0, most);
      assertThat(row.paper()).isNull();
    }
  }

  private static double utility(Map<String, Object> setting, String policy) {
    return results.rows().stream()
        .filter(r -> r.setting().equals(setting))
        .filter(r -> r.policy().equals(policy) && r.metric().equals("utility"))
        .map(r -> r.figure().mean())
        .findFirst()
        .orElseThrow();
  }

  /** Those who know neither utilities nor elastic sizes reach less, and elastic ones no more. */
  @Test
  void noBaselineReachesMuchMore() {
    for (Goal goal : Goal.ALL) {
      for (double load : new double[] {0.5, 1, 2}) {
        Map<String, Object> setting = setting(100, 20, goal, load, 100, "reserved");
        double gadget = utility(setting, "gadget");
        for (String policy : GadgetExperiment.FIXED) {
          assertThat(gadget).isGreaterThan(utility(setting, policy));
        }
        for (String policy : GadgetExperiment.ELASTIC) {
          assertThat(gadget).isGreaterThan(0.97 * utility(setting, policy));
        }
      }
    }
  }

  @Test
  void threadsChangeNothing() {
    GadgetExperiment small = new GadgetExperiment(setting -> setting.jobs() == 20);
    assertThat(small.run(2, 3, _ -> {}).rows())
        .hasSize(3 * 6 * (7 * 3 + 1))
        .isEqualTo(small.run(2, 1, _ -> {}).rows());
  }

  @Test
  void plotsHaveTheNumbersOfTheRows() {
    assertThat(results.plots()).hasSize(12);
    Plot byLoad = results.plots().getFirst();
    assertThat(byLoad.series()).extracting(Plot.Series::name).containsExactlyElementsOf(POLICIES);
    for (Plot.Series series : byLoad.series()) {
      List<Double> expected = new ArrayList<>();
      for (double load : new double[] {0.5, 1, 2}) {
        expected.add(
            utility(setting(100, 20, Goal.ALL.getFirst(), load, 100, "reserved"), series.name()));
      }
      assertThat(series.points()).extracting(Plot.Point::y).containsExactlyElementsOf(expected);
    }
    for (Plot plot : results.plots()) {
      assertThat(plot.series()).allMatch(s -> s.points().size() == 3 && !s.paper());
    }
  }

  /**
   * One job on one server of 8 GPUs, with twice the work that they do in 10 slots: whatever runs,
   * it is not finished, and counts from its arrival, at most at 6 slots, to the horizon.
   */
  @Test
  void unfinishedJobsCountUpToTheHorizon() {
    for (String policy : List.of("fifo", "optimus")) {
      GadgetSetting setting = GadgetSetting.of(1, 1, 2, 10);
      GadgetCell each =
          new GadgetCell(setting, policy, policy.equals("optimus"), Map.of(), Goal.ALL);
      long seed = seedWithAtMostEightWorkers(setting);
      GadgetCell.Outcome outcome = each.run(seed);
      double submit = new GadgetWorkload(seed, setting).fixed().submitSeconds(0);
      assertThat(outcome.finishedShare()).isZero();
      assertThat(outcome.completionSeconds()).isEqualTo(6000 - submit);
      assertThat(outcome.utilities().getFirst()).isBetween(0.01, 0.5);
      assertThat(outcome.utilities().get(1)).isEqualTo(outcome.utilities().getFirst());
      assertThat(outcome.slots().mean()).isNaN();
    }
  }

  /** A fixed size above 8 would not fit the one server. */
  private static long seedWithAtMostEightWorkers(GadgetSetting setting) {
    long seed = 1;
    while (new GadgetWorkload(seed, setting).fixed().gpus(0) > GadgetSetting.SERVER_GPUS) {
      seed++;
    }
    return seed;
  }

  /** Two jobs of 1 and 3 GPU-hours; all of the first is done and half of the second. */
  @Test
  void goalsValueWhatIsDone() {
    double[] work = {3600, 10800};
    double[] done = {1, 0.5};
    double saturating = (1 - Math.exp(-1.5)) / (1 - Math.exp(-3));
    double fair = Math.log(1.5) / Math.log(2);
    double[] half = {0.5, 0.5, saturating, saturating, fair, fair};
    for (int i = 0; i < half.length; i++) {
      Goal goal = Goal.ALL.get(i);
      double expected = goal.weight().equals("work") ? (1 + 3 * half[i]) / 4 : (1 + half[i]) / 2;
      assertThat(goal.value(work, job -> done[job])).isCloseTo(expected, within(1e-12));
    }
  }
}
