package io.ringmaster.experiments.asrpt;

import java.util.Map;

/** Strategies of the same names that any version has, to tell what an experiment makes of them. */
final class StandIns {
  /** The largest jobs take four servers. */
  static final ASrptSetting.Scale SMALL = new ASrptSetting.Scale(5, 60);

  private StandIns() {}

  /** First come, first served; with some setting a job that does not fit is passed over. */
  static Strategy of(Strategy strategy) {
    boolean blocking = strategy.given().isEmpty() && !strategy.name().equals("a-srpt");
    return new Strategy(strategy.name(), "fifo", Map.of("blocking", "" + blocking));
  }
}
