package io.ringmaster.control.job;

import org.jspecify.annotations.Nullable;

/** Jobs for tests as no {@link Lifecycle} leaves them: another one's, but for what is said. */
public final class JobBuilder {
  private final Draft draft;

  private JobBuilder(Job job) {
    draft = new Draft(job);
  }

  public static JobBuilder like(Job job) {
    return new JobBuilder(job);
  }

  public JobBuilder state(JobState state) {
    draft.state = state;
    return this;
  }

  public JobBuilder attempt(int attempt) {
    draft.attempt = attempt;
    return this;
  }

  public JobBuilder held(@Nullable Allocation held) {
    draft.held = held;
    return this;
  }

  public JobBuilder attainedGpuSeconds(double attainedGpuSeconds) {
    draft.attainedGpuSeconds = attainedGpuSeconds;
    return this;
  }

  public JobBuilder endedSeconds(double endedSeconds) {
    draft.endedSeconds = endedSeconds;
    return this;
  }

  public Job build() {
    return draft.job();
  }
}
