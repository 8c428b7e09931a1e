package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Completion;
import io.ringmaster.experiments.Variants;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.workload.Generated;
import java.util.Map;

/** A strategy in a setting. */
public record ASrptCell(ASrptSetting setting, Strategy strategy) {
  static final String METRIC = "jct_s";

  /** Mean time from submission to completion on one draw. Every schedule is validated. */
  public double completionSeconds(long seed) {
    Generated draw = setting.draw(seed);
    RunResult result =
        ValidatedRun.of(draw.cluster(), draw.jobs(), run(seed), Double.POSITIVE_INFINITY);
    return Completion.meanSeconds(draw.jobs(), result);
  }

  /** What the strategy knows of lengths. */
  public KnownLengths lengths() {
    return run(0).lengths();
  }

  private Run run(long seed) {
    return Variants.run(strategy.policy(), given(), seed);
  }

  /** A policy that does not ask for lengths has no such setting. */
  private Map<String, String> given() {
    return Variants.named(strategy.policy()).parameters().contains(Estimate.PARAMETER)
        ? strategy.with(Estimate.PARAMETER.name(), setting.prediction().text()).given()
        : strategy.given();
  }
}
