package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An attempt in memory. Guarded by the engine's lock, but for what is final. */
final class Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  /** A supervisor claims its attempt within milliseconds, or something is wrong. */
  private static final long PENDING_NANOS_MAX = 30_000_000_000L;

  /** What a supervisor may take to carry out a stop, beside the grace. */
  private static final double SLACK_SECONDS = 5;

  /** How long to try to write down how it ended. */
  private static final long WRITING_NANOS_MAX = 10_000_000_000L;

  final AttemptFolder folder;
  final @Nullable Plan plan;
  final ProgressFile progress;
  private final long knownSinceNanos = System.nanoTime();
  Status.Phase phase;
  double doneShare = Double.NaN;
  boolean saved;

  /** What started the supervisor; null: a server before this one did. */
  @Nullable Process starter;

  @Nullable ProcessId supervisor;

  /** What is found out about it just now. */
  @Nullable CompletableFuture<Sight> look;

  private boolean isComplained;
  private boolean isStopped;
  private long graceEndsNanos;
  private boolean isUnwritten;
  private long unwrittenSinceNanos;

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

  /** Notes a stop. Returns whether its grace is over sooner than any before it. */
  boolean stop(double graceSeconds) {
    long endsNanos = System.nanoTime() + (long) (graceSeconds * 1e9);
    if (isStopped && endsNanos - graceEndsNanos >= 0) {
      return false;
    }
    isStopped = true;
    graceEndsNanos = endsNanos;
    return true;
  }

  /** Whether it should long be over, and whoever had to see to that did not. */
  boolean isOverdue() {
    return isStopped && System.nanoTime() - graceEndsNanos > (long) (SLACK_SECONDS * 1e9);
  }

  /** Whether to try again, after its end could not be written down: the disk may just be full. */
  boolean mayWriteAgain() {
    long now = System.nanoTime();
    if (!isUnwritten) {
      isUnwritten = true;
      unwrittenSinceNanos = now;
    }
    return now - unwrittenSinceNanos < WRITING_NANOS_MAX;
  }

  /** Logs what is wrong with its files, once. */
  void complain(String what) {
    if (!isComplained) {
      isComplained = true;
      LOG.warn("attempt {}: {}; it goes on as well as it can", id(), what);
    }
  }

  /** What it said, and what it left. A look that failed tells nothing of either. */
  void take(Sight sight) {
    doneShare = Double.isNaN(sight.doneShare()) ? doneShare : sight.doneShare();
    saved |= sight.saved();
  }

  Status status() {
    return new Status(id(), phase, doneShare, saved);
  }
}
