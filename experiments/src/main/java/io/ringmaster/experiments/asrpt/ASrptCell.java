package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Completion;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.registry.Policies;
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
        ValidatedRun.of(draw.cluster(), draw.jobs(), strategy.policy(), given(), seed);
    return Completion.meanSeconds(draw.jobs(), result);
  }

  /** A policy that does not ask for lengths has no such setting. */
  private Map<String, String> given() {
    return Policies.named(strategy.policy()).parameters().contains(Estimate.PARAMETER)
        ? strategy.with(Estimate.PARAMETER.name(), setting.prediction().text()).given()
        : strategy.given();
  }
}
