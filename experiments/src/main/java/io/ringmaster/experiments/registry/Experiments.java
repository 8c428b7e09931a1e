package io.ringmaster.experiments.registry;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.adasrsf.AdaSrsfExperiment;
import io.ringmaster.experiments.asrpt.ASrptExperiment;
import io.ringmaster.experiments.asrpt.DelayExperiment;
import io.ringmaster.experiments.doubling.AllocationGaps;
import io.ringmaster.experiments.doubling.DoublingExperiment;
import io.ringmaster.experiments.gadget.GadgetExperiment;
import io.ringmaster.experiments.maestro.MaestroExperiment;
import io.ringmaster.experiments.philly.PhillyTraceExperiment;
import io.ringmaster.experiments.pipeline.HeavyEdgeGaps;
import io.ringmaster.experiments.sjfbco.SjfBcoExperiment;
import io.ringmaster.model.settings.Settings;
import java.util.List;

/** The experiments by name. A new one is a class and a line here. */
public final class Experiments {
  private static final List<Experiment> ALL =
      List.of(
          new SjfBcoExperiment(),
          new AdaSrsfExperiment(),
          new GadgetExperiment(),
          new DoublingExperiment(),
          new AllocationGaps(),
          new HeavyEdgeGaps(),
          new ASrptExperiment(),
          new DelayExperiment(),
          new MaestroExperiment(),
          new PhillyTraceExperiment());

  private Experiments() {}

  public static List<Experiment> all() {
    return ALL;
  }

  public static Experiment named(String name) {
    return Settings.Nearest.named(name, ALL, Experiment::name, "no experiment is called '%s'");
  }
}
