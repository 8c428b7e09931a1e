package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All attempts that an engine was not told to forget, what is known of each, and who is told of it.
 * Whoever does several things that belong together holds this object's lock meanwhile.
 */
final class Attempts {
  private final DataFolder data;
  private final Slots slots;
  private final ControlGroups groups;
  private final Map<AttemptId, Attempt> all =
      new TreeMap<>(Comparator.comparingLong(AttemptId::job).thenComparingInt(AttemptId::attempt));

  /** Those that have not ended: the others cost nothing. */
  private final Map<AttemptId, Attempt> live = new LinkedHashMap<>();

  private final StatusNews news = new StatusNews();

  Attempts(DataFolder data, Slots slots, ControlGroups groups) {
    this.data = data;
    this.slots = slots;
    this.groups = groups;
  }

  synchronized @Nullable Attempt get(AttemptId id) {
    return all.get(id);
  }

  /** Drops one that has ended. */
  synchronized void remove(AttemptId id) {
    all.remove(id);
  }

  synchronized List<Status> statuses() {
    return all.values().stream().map(Attempt::status).toList();
  }

  synchronized Set<AttemptId> liveIds() {
    return Set.copyOf(live.keySet());
  }

  /** Whatever is there: a server must start with it. */
  synchronized void load(AttemptFolder folder) {
    Plan plan = null;
    String trouble = null;
    boolean buried = false;
    try {
      Status end = folder.end();
      if (end != null) {
        Attempt ended = new Attempt(folder, null, progress(folder), end.phase());
        ended.doneShare = end.doneShare();
        ended.saved = folder.hasCheckpoint();
        all.put(folder.attempt(), ended);
        return;
      }
    } catch (IOException e) {
      trouble = e.toString();
    }
    try {
      plan = folder.plan();
    } catch (IOException e) {
      trouble = e.toString();
    }
    Attempt attempt = add(folder, plan);
    try {
      buried = folder.bury();
    } catch (IOException e) {
      trouble = e.toString();
    }
    if (trouble != null) {
      attempt.complain(trouble);
    }
    if (buried) {
      end(attempt, new Status.Gone("it was never started"));
    }
  }

  private ProgressFile progress(AttemptFolder folder) {
    return new ProgressFile(
        data.progress(folder.attempt().job()), data.progressMark(folder.attempt()));
  }

  /** Makes an attempt known, with its GPUs. */
  synchronized Attempt add(AttemptFolder folder, @Nullable Plan plan) {
    AttemptId id = folder.attempt();
    Attempt attempt = new Attempt(folder, plan, progress(folder), new Status.Pending());
    all.put(id, attempt);
    live.put(id, attempt);
    if (plan != null) {
      slots.take(plan);
    }
    return attempt;
  }

  /**
   * Writes down how it ended; from then on it is told, and its GPUs are free. If it cannot be
   * written, it is still live, and is tried again for a while.
   */
  synchronized void end(Attempt attempt, Status.Phase end) {
    try {
      attempt.folder.end(new Status(attempt.id(), end, attempt.doneShare));
    } catch (IOException e) {
      attempt.complain("how it ended cannot be written down: " + e);
      if (attempt.mayWriteAgain()) {
        return;
      }
    }
    attempt.phase = end;
    live.remove(attempt.id());
    if (attempt.plan != null) {
      slots.release(attempt.plan);
    }
    groups.remove(attempt.id());
    news.add(attempt.status());
  }

  void listen(Consumer<Status> changes) {
    news.listen(changes);
  }

  void tell() {
    news.tell();
  }

  synchronized List<Attempt> live() {
    return List.copyOf(live.values());
  }

  /** What an attempt's workers print into. */
  List<Path> logs(Attempt attempt) {
    List<Path> logs = new ArrayList<>();
    for (int each = 0; attempt.plan != null && each < attempt.plan.workers(); each++) {
      int rank = attempt.plan.firstRank() + each;
      logs.add(data.log(attempt.id(), rank, Engine.Stream.STDOUT));
      logs.add(data.log(attempt.id(), rank, Engine.Stream.STDERR));
    }
    return logs;
  }

  /**
   * Takes in what was found out about an attempt. Returns how it ended, if it has: then nobody
   * watches its processes any more.
   */
  synchronized Status.@Nullable Phase seen(Attempt attempt, Sight sight) {
    if (attempt.phase.isEnd()) {
      return null;
    }
    if (sight.trouble() != null) {
      attempt.complain(sight.trouble());
    }
    Status before = attempt.status();
    attempt.take(sight);
    Status.Phase end = endOf(attempt, sight);
    if (end == null && !attempt.status().equals(before)) {
      news.add(attempt.status());
    }
    return end;
  }

  private static Status.@Nullable Phase endOf(Attempt attempt, Sight sight) {
    if (attempt.phase instanceof Status.Pending) {
      switch (sight.claim()) {
        case AttemptFolder.Supervised owner -> {
          attempt.supervisor = owner.supervisor();
          attempt.phase = new Status.Running();
        }
        case AttemptFolder.Tombstone _ -> {
          return new Status.Gone("it was stopped before it started");
        }
        case null -> {
          return attempt.isStillborn() && isBuried(attempt)
              ? new Status.Gone("its supervisor cannot be started")
              : null;
        }
      }
    }
    if (sight.result() != null) {
      return sight.result();
    }
    return sight.alive()
        ? null
        : new Status.Gone("its supervisor was killed, or the machine went down");
  }

  synchronized boolean isOverdue(Attempt attempt) {
    return attempt.isOverdue();
  }

  /**
   * Nothing of an attempt is left.
   *
   * @param last what was found after that; null: nobody could look
   */
  synchronized void over(Attempt attempt, Status.Phase end, @Nullable Sight last) {
    // Somebody may have stopped it meanwhile that had not started.
    if (!attempt.phase.isEnd()) {
      if (last != null) {
        attempt.take(last);
      }
      end(attempt, end);
    }
  }

  /** Says what is wrong with an attempt, once. */
  synchronized void complain(Attempt attempt, String what) {
    attempt.complain(what);
  }

  /** Whether it will never start. */
  static boolean isBuried(Attempt attempt) {
    try {
      return attempt.folder.bury();
    } catch (IOException e) {
      attempt.complain(e.toString());
      return false;
    }
  }
}
