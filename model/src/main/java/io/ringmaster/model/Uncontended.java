package io.ringmaster.model;

import org.jspecify.annotations.Nullable;

/** No network: an iteration is a second, for any job, anywhere, with any number of workers. */
public record Uncontended() implements IterationTime {
  @Override
  public double seconds(@Nullable ModelProfile profile, Placement placement, double contenders) {
    return 1;
  }

  @Override
  public double fastestSeconds(@Nullable ModelProfile profile, int workers) {
    return 1;
  }

  @Override
  public double scatteredSeconds(@Nullable ModelProfile profile, int workers) {
    return 1;
  }

  @Override
  public boolean neighboursMatter() {
    return false;
  }

  @Override
  public boolean placesMatter() {
    return false;
  }
}
