package io.ringmaster.predictor.speed;

import io.ringmaster.model.AllReduce;

/** A number of a {@link SpeedFit}. All but the overlap are times that something counts. */
public enum SpeedParameter {
  /** th0 of the paper. */
  SECONDS_PER_SAMPLE("seconds_per_sample"),
  /** The part of the computation that does not grow with the batch; th3 of the paper. */
  COMPUTE("compute_s"),
  STARTUP("startup_s"),
  INSIDE_SHARE("inside_share_s"),
  INSIDE_STEP("inside_step_s"),
  ACROSS_SHARE("across_share_s"),
  ACROSS_STEP("across_step_s"),
  NEIGHBOUR("neighbour_s"),
  OVERLAP("overlap");

  private final String text;

  SpeedParameter(String text) {
    this.text = text;
  }

  /** Its name in files. */
  public String text() {
    return text;
  }

  boolean computes() {
    return this == SECONDS_PER_SAMPLE || this == COMPUTE;
  }

  /** How often it counts in an iteration. */
  double of(StepTime time, AllReduce allReduce) {
    boolean across = time.crossesServers();
    return switch (this) {
      case SECONDS_PER_SAMPLE -> time.batch();
      case COMPUTE -> 1;
      case STARTUP -> time.workers() > 1 ? 1 : 0;
      case INSIDE_SHARE -> across ? 0 : allReduce.share(time.workers());
      case INSIDE_STEP -> across ? 0 : allReduce.steps(time.workers());
      case ACROSS_SHARE -> across ? allReduce.share(time.workers()) : 0;
      case ACROSS_STEP -> across ? allReduce.steps(time.workers()) : 0;
      case NEIGHBOUR -> across ? time.mostOnOne() - 1 : 0;
      case OVERLAP -> throw new IllegalStateException("the overlap counts nothing");
    };
  }
}
