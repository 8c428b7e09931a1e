package io.ringmaster.policy.maestro;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Policy;

/** The settings of maestro, and which of its parts serves whom. */
public final class Maestro {
  public static final Parameter TRUST =
      Parameter.number("trust", "how many times what a job has shown its prediction is believed", 10, 0, 1e12);
  public static final Parameter TRIAL =
      Parameter.number("trial", "seconds", 60, 0, 1e12);
  public static final Parameter PATIENCE =
      Parameter.number("patience", "seconds", 1e6, 0, 1e12);
  public static final Parameter OBJECTIVE =
      Parameter.choice("objective", "what", "jct", "makespan", "utility", "mixed");
  public static final Parameter MIX = Parameter.number("mix", "share of makespan", 0.5, 0, 1);
  public static final Parameter SEARCH = Parameter.whole("search", "trials", 5000, 0, 10_000_000);
  public static final Parameter TAU = Parameter.number("tau", "t", 3, 0, 1e9);
  public static final Parameter RUN = Parameter.number("run", "t", 60, 0, 1e9);
  public static final Parameter RES = Parameter.number("res", "t", 1, 0, 1e9);
  public static final Parameter EVICT = Parameter.number("evict", "t", 0.5, 0, 1e9);
  public static final Parameter WITHOUT =
      Parameter.choice("without", "drop", "none", "order", "consolidation", "preemption", "waiting", "growth", "search", "trust");

  private Maestro() {}

  public static Policy of(Settings settings, Cluster cluster) {
    Rules rules =
        new Rules(
            settings.number(TRUST.name()),
            settings.number(TRIAL.name()),
            settings.number(PATIENCE.name()),
            1.1,
            settings.number(TAU.name()),
            settings.number(EVICT.name()),
            10,
            settings.number(RUN.name()),
            (int) settings.number(RES.name()),
            settings.text(WITHOUT.name()));
    return switch (settings.text(OBJECTIVE.name())) {
      case "makespan" -> new BatchMode(rules, 1, settings.whole(SEARCH.name()));
      case "mixed" -> new BatchMode(rules, settings.number(MIX.name()), settings.whole(SEARCH.name()));
      default -> new Online(rules, cluster);
    };
  }
}
