package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import org.jspecify.annotations.Nullable;

/** An attempt in memory. Guarded by the engine's lock. */
final class Attempt {
  /** A supervisor claims its attempt within milliseconds, or something is wrong. */
  private static final long PENDING_NANOS_MAX = 30_000_000_000L;

  final AttemptFolder folder;
  final @Nullable Plan plan;
  final ProgressFile progress;
  private final long knownSinceNanos = System.nanoTime();
  Status.Phase phase;
  double doneShare = Double.NaN;

  /** What started the supervisor; null: a server before this one did. */
  @Nullable Process starter;

  @Nullable ProcessId supervisor;

  Attempt(AttemptFolder folder, @Nullable Plan plan, ProgressFile progress, Status.Phase phase) {
    this.folder = folder;
    this.plan = plan;
    this.progress = progress;
    this.phase = phase;
  }

  AttemptId id() {
    return folder.attempt();
  }

  /** Whether nobody can be expected to claim it any more. */
  boolean isStillborn() {
    Process started = starter;
    return (started != null && !started.isAlive() && started.exitValue() != 0)
        || System.nanoTime() - knownSinceNanos > PENDING_NANOS_MAX;
  }

  Status status() {
    return new Status(id(), phase, doneShare);
  }
}
