package io.ringmaster.predictor.speed;

import io.ringmaster.model.AllReduce;

/** A number of a {@link SpeedFit}. All but the overlap are times that something counts. */
public enum SpeedParameter {
  /** th0 of the paper. */
  SECONDS_PER_SAMPLE("seconds_per_sample") {
    @Override
    double of(StepTime time, AllReduce allReduce) {
      return time.batch();
    }
  },

  /** The part of the computation that does not grow with the batch; th3 of the paper. */
  COMPUTE("compute_s") {
    @Override
    double of(StepTime time, AllReduce allReduce) {
      return 1;
    }
  },

  STARTUP("startup_s") {
    @Override
    double of(StepTime time, AllReduce allReduce) {
      return time.workers() > 1 ? 1 : 0;
    }
  },

  INSIDE_SHARE("inside_share_s") {
    @Override
    double of(StepTime time, AllReduce allReduce) {
      return time.crossesServers() ? 0 : allReduce.share(time.workers());
    }
  },

  INSIDE_STEP("inside_step_s") {
    @Override
    double of(StepTime time, AllReduce allReduce) {
      return time.crossesServers() ? 0 : allReduce.steps(time.workers());
    }
  },

  ACROSS_SHARE("across_share_s") {
    @Override
    double of(StepTime time, AllReduce allReduce) {
      return time.crossesServers() ? allReduce.share(time.workers()) : 0;
    }
  },

  ACROSS_STEP("across_step_s") {
    @Override
    double of(StepTime time, AllReduce allReduce) {
      return time.crossesServers() ? allReduce.steps(time.workers()) : 0;
    }
  },

  NEIGHBOUR("neighbour_s") {
    @Override
    double of(StepTime time, AllReduce allReduce) {
      return time.crossesServers() ? time.mostOnOne() - 1 : 0;
    }
  },

  OVERLAP("overlap") {
    @Override
    double of(StepTime time, AllReduce allReduce) {
      throw new IllegalStateException("the overlap counts nothing");
    }
  };

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
  abstract double of(StepTime time, AllReduce allReduce);
}
