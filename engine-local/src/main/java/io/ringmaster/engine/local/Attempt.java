package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Status;
import io.ringmaster.control.job.AttemptId;
import org.jspecify.annotations.Nullable;

/** An attempt in memory. Guarded by the engine's lock. */
final class Attempt {
  final AttemptFolder folder;
  final @Nullable Plan plan;
  final ProgressFile progress;
  final long knownSinceNanos = System.nanoTime();
  Status.Phase phase;
  double doneShare = Double.NaN;
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

  Status status() {
    return new Status(id(), phase, doneShare);
  }
}
