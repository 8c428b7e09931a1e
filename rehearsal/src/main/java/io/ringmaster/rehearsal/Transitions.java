package io.ringmaster.rehearsal;

import static io.ringmaster.control.job.JobState.CANCELLED;
import static io.ringmaster.control.job.JobState.CANCELLING;
import static io.ringmaster.control.job.JobState.CHECKPOINTING;
import static io.ringmaster.control.job.JobState.FAILED;
import static io.ringmaster.control.job.JobState.LOST;
import static io.ringmaster.control.job.JobState.PLACED;
import static io.ringmaster.control.job.JobState.QUEUED;
import static io.ringmaster.control.job.JobState.RUNNING;
import static io.ringmaster.control.job.JobState.STARTING;
import static io.ringmaster.control.job.JobState.STOPPING;
import static io.ringmaster.control.job.JobState.SUBMITTED;
import static io.ringmaster.control.job.JobState.SUCCEEDED;
import static io.ringmaster.control.job.JobState.TIMED_OUT;
import static io.ringmaster.control.job.JobState.TIMING_OUT;

import io.ringmaster.control.job.JobState;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What may follow what, written a second time, so that a wrong Lifecycle is noticed. */
final class Transitions {
  private static final Set<JobState> FIRST = Set.of(SUBMITTED, QUEUED);
  private static final Map<JobState, Set<JobState>> LEGAL =
      Map.ofEntries(
          Map.entry(SUBMITTED, Set.of(QUEUED, CANCELLED)),
          Map.entry(QUEUED, Set.of(PLACED, CANCELLED, SUBMITTED)),
          Map.entry(PLACED, Set.of(QUEUED, STARTING, CANCELLED, SUBMITTED)),
          Map.entry(
              STARTING,
              Set.of(
                  RUNNING,
                  CHECKPOINTING,
                  STOPPING,
                  CANCELLING,
                  TIMING_OUT,
                  SUCCEEDED,
                  FAILED,
                  QUEUED)),
          Map.entry(
              RUNNING,
              Set.of(
                  CHECKPOINTING,
                  STOPPING,
                  LOST,
                  CANCELLING,
                  TIMING_OUT,
                  SUCCEEDED,
                  FAILED,
                  QUEUED)),
          Map.entry(
              CHECKPOINTING, Set.of(PLACED, QUEUED, CANCELLING, TIMING_OUT, SUCCEEDED, FAILED)),
          Map.entry(STOPPING, Set.of(PLACED, QUEUED, CANCELLING, TIMING_OUT, SUCCEEDED, FAILED)),
          Map.entry(CANCELLING, Set.of(CANCELLED, SUCCEEDED)),
          Map.entry(TIMING_OUT, Set.of(TIMED_OUT, SUCCEEDED)),
          Map.entry(LOST, Set.of(QUEUED, CANCELLING, SUCCEEDED, FAILED)));

  private Transitions() {}

  /** Whether a state may follow; one that is no end may be told again, with another reason. */
  static boolean isLegal(@Nullable JobState from, JobState to) {
    if (from == null) {
      return FIRST.contains(to);
    }
    return (from == to && !from.isEnd()) || LEGAL.getOrDefault(from, Set.of()).contains(to);
  }
}
