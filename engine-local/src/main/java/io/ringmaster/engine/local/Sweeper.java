package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what is known of live attempts with what is true, each by itself: looks at their files
 * are made by threads of their own, and one that takes long is taken in by a later sweep. Ends are
 * told once nothing of an attempt is left.
 */
final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  /** How often to look again for processes that were just killed, before others get a turn. */
  private static final int LOOKS_MAX = 20;

  private static final int LOOK_MILLIS = 5;
  private static final int LATE_MILLIS = 250;
  private static final long RESERVE_NANOS = 1_000_000_000L;

  /** The disk is nobody's in particular. */
  private static final UserFiles.Use DISK =
      new UserFiles.Use(new AttemptId(0, 0), UserFiles.Purpose.LOOK);

  private final Attempts attempts;
  private final UserFiles files;
  private final Leftovers leftovers;
  private final ControlGroups groups;
  private final DiskReserve reserve;
  private final String boot;
  private final LocalSettings settings;
  private long reserveSeenNanos = System.nanoTime() - RESERVE_NANOS;

  Sweeper(
      Attempts attempts,
      UserFiles files,
      Leftovers leftovers,
      ControlGroups groups,
      DiskReserve reserve,
      String boot,
      LocalSettings settings) {
    this.attempts = attempts;
    this.files = files;
    this.leftovers = leftovers;
    this.groups = groups;
    this.reserve = reserve;
    this.boot = boot;
    this.settings = settings;
  }

  void sweep() throws IOException {
    lookAtDisk();
    List<Attempt> live = attempts.live();
    List<CompletableFuture<Sight>> begun = new ArrayList<>();
    for (Attempt attempt : live) {
      if (attempt.look == null) {
        attempt.look = look(attempt);
        if (attempt.look != null) {
          begun.add(attempt.look);
        }
      }
    }
    await(begun);
    Map<Attempt, Status.Phase> over = new LinkedHashMap<>();
    for (Attempt attempt : live) {
      Status.Phase end = taken(attempt);
      if (end == null && attempts.isOverdue(attempt)) {
        // Its supervisor hangs, is gone, or was never asked.
        end = new Status.Exited(137, true);
      }
      if (end != null) {
        over.put(attempt, end);
      }
    }
    attempts.tell();
    finish(over);
  }

  private void lookAtDisk() {
    long now = System.nanoTime();
    if (now - reserveSeenNanos < RESERVE_NANOS) {
      return;
    }
    reserveSeenNanos = now;
    CompletableFuture<?> look =
        files.<@Nullable Void>start(
            DISK,
            () -> {
              reserve.look();
              return null;
            });
    if (look != null) {
      await(List.of(look));
    }
  }

  /** Null: one that hangs is under way. */
  private @Nullable CompletableFuture<Sight> look(Attempt attempt) {
    ProcessId known = attempt.supervisor;
    List<Path> logs = attempts.logs(attempt);
    long limit =
        reserve.isShort()
            ? Math.min(DiskReserve.SHORT_LOG_BYTES, settings.logLimitBytes())
            : settings.logLimitBytes();
    return files.start(
        new UserFiles.Use(attempt.id(), UserFiles.Purpose.LOOK),
        () -> Sight.of(attempt.folder, attempt.progress, known, boot, logs, limit));
  }

  /** Waits for looks that take no longer than usual. */
  private static void await(List<? extends CompletableFuture<?>> looks) {
    try {
      CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new))
          .get(LATE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.trace("some take longer, or failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes in a look that is done. Returns how the attempt ended, if it has. */
  private Status.@Nullable Phase taken(Attempt attempt) {
    CompletableFuture<Sight> look = attempt.look;
    if (look == null || !look.isDone()) {
      return null;
    }
    attempt.look = null;
    if (look.isCompletedExceptionally()) {
      attempts.complain(attempt, String.valueOf(look.exceptionNow()));
      return null;
    }
    return attempts.seen(attempt, look.join());
  }

  /** Tells ends, once nothing of those attempts is left. */
  private void finish(Map<Attempt, Status.Phase> over) throws IOException {
    Map<Attempt, Status.Phase> left = new LinkedHashMap<>(over);
    for (int looks = 0; looks < LOOKS_MAX && !left.isEmpty(); looks++) {
      Set<AttemptId> ids = new HashSet<>();
      left.keySet().forEach(attempt -> ids.add(attempt.id()));
      Set<AttemptId> busy = leftovers.kill(ids);
      for (Map.Entry<Attempt, Status.Phase> entry : List.copyOf(left.entrySet())) {
        Attempt attempt = entry.getKey();
        if (!busy.contains(attempt.id())) {
          left.remove(attempt);
          attempts.over(attempt, explained(attempt, entry.getValue()), last(attempt));
        }
      }
      attempts.tell();
      if (!left.isEmpty() && !Watch.pause(LOOK_MILLIS)) {
        return;
      }
    }
  }

  private Status.Phase explained(Attempt attempt, Status.Phase end) {
    return end instanceof Status.Exited exited
            && exited.code() != 0
            && !exited.stopped()
            && groups.ranOutOfMemory(attempt.id())
        ? new Status.Exited(
            exited.code(), false, "it took more memory than it asked for, and was killed for that")
        : end;
  }

  /** What it said and left, now that nobody can add to it; null: it cannot be told. */
  private @Nullable Sight last(Attempt attempt) {
    CompletableFuture<Sight> look = look(attempt);
    if (look == null) {
      return null;
    }
    await(List.of(look));
    return look.isDone() && !look.isCompletedExceptionally() ? look.join() : null;
  }
}
