package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.GridExperiment;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.asrpt.ASrptSetting;
import io.ringmaster.experiments.gadget.GadgetSetting;
import io.ringmaster.experiments.rivals.Contest;
import io.ringmaster.experiments.rivals.Expected;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The policy {@code maestro} on the ground of each of the four that it is made of: the experiments
 * of {@code sjf-bco}, {@code a-srpt}, {@code doubling} and {@code gadget}, with that policy and its
 * best baselines, on draws that nothing was tuned on. Then the same with one ingredient left out,
 * and with lengths that are told wrong on purpose.
 */
public final class MaestroExperiment extends GridExperiment<Trial, double[]> {
  /** Whose ground a row is of. */
  static final String EXPERIMENT = "experiment";

  private static final int DRAWS = 20;

  /** Draws are shared by all, so half as many tell ingredients apart. */
  private static final int ABLATION_DRAWS = 10;

  /**
   * How large it is. What is not here is small enough for tests.
   *
   * @param gadget the cells that are run
   */
  record Scale(
      ASrptSetting.Scale aSrpt,
      Predicate<GadgetSetting> gadget,
      AdversarialPart.Workload philly,
      AdversarialPart.Workload week) {
    static final Scale FULL =
        new Scale(
            ASrptSetting.Scale.FULL,
            _ -> true,
            AdversarialPart.Workload.days(16, 7),
            AdversarialPart.Workload.days(64, 7));
  }

  private final List<Ratio> ratios = new ArrayList<>();
  private final RivalsPart rivals;

  public MaestroExperiment() {
    this(Scale.FULL, maestro -> maestro, _ -> true, _ -> true);
  }

  /**
   * At another scale.
   *
   * @param made puts another policy in place of {@code maestro}
   * @param chosen what of it is run
   * @param contests those beside rivals that are run
   */
  MaestroExperiment(
      Scale scale,
      UnaryOperator<Maestro> made,
      Predicate<Ratio> chosen,
      Predicate<Contest> contests) {
    super(
        Maestro.NAME,
        "maestro beside sjf-bco, a-srpt, doubling and gadget, each in its own experiment, on fresh"
            + " draws; with one ingredient left out; with wrong lengths; and beside srsf, srtf, las"
            + " and gadget.",
        "Ringmaster's own policy; the experiments are those of the four papers");
    ratios.addAll(new SjfBcoPart(made).all());
    ratios.addAll(new ASrptPart(made, scale.aSrpt).all());
    ratios.addAll(new DoublingPart(made).all());
    ratios.addAll(new GadgetPart(made, scale.gadget).all());
    ratios.addAll(new AdversarialPart(made, scale.aSrpt, scale.philly).all());
    rivals = new RivalsPart(scale.aSrpt, scale.week, scale.philly, contests);
    ratios.removeIf(chosen.negate());
    ratios.replaceAll(ratio ->
        ratio.setting().containsKey(Maestro.WITHOUT) ? ratio.onAtMost(ABLATION_DRAWS) : ratio);
  }

  /** A setting of another experiment, as rows of this one name it. */
  static Map<String, Object> setting(String experiment, Map<String, Object> its) {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put(EXPERIMENT, experiment);
    setting.putAll(its);
    return setting;
  }

  @Override
  public int defaultDraws() {
    return DRAWS;
  }

  @Override
  protected Grid<Trial, double[]> grid() {
    return Ratio.grid(ratios, rivals.trials());
  }

  @Override
  protected Results results(Outcomes<Trial, double[]> outcomes, int draws) {
    List<Row> rows =
        new ArrayList<>(ratios.stream().map(ratio -> ratio.row(outcomes, draws)).toList());
    rows.addAll(rivals.rows(outcomes));
    List<Check> checks = new ArrayList<>(new Targets(rows).all());
    checks.addAll(new Expected(rows).all());
    return new Results(List.copyOf(rows), new MaestroPlots(rows).all(), checks);
  }
}
