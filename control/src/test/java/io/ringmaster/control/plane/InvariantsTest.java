package io.ringmaster.control.plane;

import static io.ringmaster.control.plane.BrokenInvariant.Invariant.HELD_GPUS;
import static io.ringmaster.control.plane.BrokenInvariant.Invariant.JOB_AGREES_WITH_STATE;
import static io.ringmaster.control.plane.BrokenInvariant.Invariant.JOB_IN_ITS_PLACE;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobBuilder;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lifecycle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each check bites, and what is right passes. */
class InvariantsTest {
  private final Map<Long, Job> open = new HashMap<>();
  private final Set<Long> placed = new HashSet<>();
  private final Map<String, Integer> heldGpus = new HashMap<>();
  private final Invariants invariants = new Invariants(open, placed, heldGpus, _ -> 4);

  /** A job that was just launched on two GPUs of s0001. */
  private Job launched() {
    Job job =
        Lifecycle.submitted(
            1, "ada", "", JobSpecs.of(Map.of("command", List.of("train"), "gpus", 2)), 1000);
    Lifecycle lifecycle = new Lifecycle(3);
    Job given =
        lifecycle.step(job, new JobEvent.Assign(Allocation.of("s0001:2"), 1, "a test"), 1000).job();
    Job launched = lifecycle.step(given, new JobEvent.Begin(), 1000).job();
    open.put(1L, launched);
    heldGpus.put("s0001", 2);
    return launched;
  }

  private static Job with(Job job, JobState state, @Nullable Allocation held) {
    return JobBuilder.like(job).state(state).held(held).build();
  }

  static void assertBroken(BrokenInvariant.Invariant invariant, ThrowingCallable check) {
    assertThatExceptionOfType(BrokenInvariant.class)
        .isThrownBy(check)
        .withMessageStartingWith(invariant.text() + ": ")
        .matches(e -> e.invariant() == invariant);
  }

  @Test
  void whatIsRightPasses() {
    Job job = launched();
    assertThatCode(() -> invariants.check(job, true)).doesNotThrowAnyException();
    assertThatCode(invariants::checkAll).doesNotThrowAnyException();
  }

  @Test
  void aJobHoldsGpusExactlyIfItsStateSaysSo() {
    Job job = launched();
    assertBroken(
        JOB_AGREES_WITH_STATE,
        () -> invariants.check(with(job, JobState.SUCCEEDED, job.held()), true));
    assertBroken(
        JOB_AGREES_WITH_STATE, () -> invariants.check(with(job, JobState.RUNNING, null), true));
    // It has been given GPUs, and waits.
    assertBroken(
        JOB_AGREES_WITH_STATE, () -> invariants.check(with(job, JobState.QUEUED, null), true));
  }

  @Test
  void aJobIsOpenAndToBeLaunchedExactlyWhenItShould() {
    Job job = launched();
    placed.add(1L);
    assertBroken(JOB_IN_ITS_PLACE, () -> invariants.check(job, true));
    placed.clear();
    open.clear();
    assertBroken(JOB_IN_ITS_PLACE, () -> invariants.check(job, true));
    placed.add(7L);
    heldGpus.clear();
    assertBroken(JOB_IN_ITS_PLACE, invariants::checkAll);
  }

  @Test
  void gpusHeldAreThoseOfJobsAndNobodyIsLaunchedOnMore() {
    Job job = launched();
    heldGpus.put("s0001", 1);
    assertBroken(HELD_GPUS, () -> invariants.check(job, true));
    heldGpus.put("s0001", -2);
    assertBroken(HELD_GPUS, invariants::checkAll);
    heldGpus.put("s0001", 5);
    assertBroken(HELD_GPUS, () -> invariants.check(job, true));
  }

  /** A node may lose GPUs while jobs start or run on them. */
  @ParameterizedTest
  @EnumSource(names = {"STARTING", "RUNNING"})
  void aJobThatWasLaunchedMayHoldMoreThanItsNodeHasByNow(JobState state) {
    Job job = with(launched(), state, Allocation.of("s0001:6"));
    open.put(1L, job);
    heldGpus.put("s0001", 6);
    assertThatCode(() -> invariants.check(job, false)).doesNotThrowAnyException();
    assertThatCode(invariants::checkAll).doesNotThrowAnyException();
  }
}
