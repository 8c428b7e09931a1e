package io.ringmaster.policy.execution;

import io.ringmaster.policy.View;

/** For tests: how fast a job goes on, which policies are not shown. */
public final class SpeedOf {
  private SpeedOf() {}

  public static double job(View view, int job) {
    return ((ExecutionView) view).execution.speed(job);
  }
}
