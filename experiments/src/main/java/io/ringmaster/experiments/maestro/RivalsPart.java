package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.asrpt.ASrptSetting;
import io.ringmaster.experiments.asrpt.Prediction;
import io.ringmaster.experiments.rivals.Contender;
import io.ringmaster.experiments.rivals.Contest;
import io.ringmaster.experiments.rivals.Standing;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.workload.Generated;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Beside policies that stop jobs as often as they like, on generated jobs. */
final class RivalsPart {
  static final String NAME = "rivals";
  private static final List<Double> LOADS = List.of(0.9, 1.1);
  private static final int BANDWIDTH = 25;

  private final List<Contest> contests;

  /** Jobs of a generator. */
  private record Jobs(String name, AdversarialPart.Workload generated, boolean staged)
      implements Contender.Workload {
    @Override
    public Map<String, Object> named() {
      Map<String, Object> named = new LinkedHashMap<>();
      named.put("workload", name);
      named.put("load", generated.load());
      return named;
    }

    @Override
    public Generated draw(long seed) {
      return generated.draw(seed);
    }
  }

  private record Run(Contender contender) implements Trial {
    @Override
    public double[] run(long seed) {
      return contender.run(seed).figures();
    }

    @Override
    public KnownLengths lengths() {
      return contender.lengths();
    }
  }

  RivalsPart(
      ASrptSetting.Scale scale,
      AdversarialPart.Workload week,
      AdversarialPart.Workload smallWeek,
      Predicate<Contest> chosen) {
    List<Jobs> workloads = new ArrayList<>();
    workloads.add(new Jobs("week", week, false));
    workloads.add(new Jobs("small-week", smallWeek, false));
    for (double load : LOADS) {
      ASrptSetting setting = new ASrptSetting(scale, load, BANDWIDTH, Prediction.PERFECT);
      workloads.add(new Jobs(ASrptPart.SEED, AdversarialPart.Workload.mix(setting), true));
    }
    contests = Contest.all(workloads).stream().filter(chosen).toList();
  }

  /** All that run, with the draws that they take at most. */
  Map<Trial, Integer> trials() {
    Map<Trial, Integer> trials = new LinkedHashMap<>();
    contests.forEach(
        contest -> contest.contenders().forEach(c -> trials.put(new Run(c), Contest.DRAWS)));
    return trials;
  }

  List<Row> rows(Outcomes<Trial, double[]> outcomes) {
    Map<String, Object> setting = Map.of(MaestroExperiment.EXPERIMENT, NAME);
    return contests.stream()
        .flatMap(contest -> contest.rows(setting, c -> standings(outcomes, c)).stream())
        .toList();
  }

  private static List<Standing> standings(Outcomes<Trial, double[]> outcomes, Contender contender) {
    return outcomes.all(new Run(contender)).stream().map(Standing::of).toList();
  }
}
