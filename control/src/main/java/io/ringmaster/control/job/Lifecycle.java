package io.ringmaster.control.job;

import io.ringmaster.control.job.Status.Exited;
import io.ringmaster.control.job.Status.Gone;
import io.ringmaster.control.job.Status.Pending;
import io.ringmaster.control.job.Status.Phase;
import io.ringmaster.control.job.Status.Running;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The life of a job as a pure function: a job and an event give the job afterwards, and what is to
 * be asked of the engine. The table of all states and events is in docs/job-states.md, and a test
 * holds the two together.
 *
 * <p>Two rules make it safe. GPUs are held until the engine says that the attempt has ended. And
 * the effects follow from the state alone, so that after a crash between storing and asking they
 * can be had again: by {@link #wanted}.
 *
 * <p>Longer than others, because it is one table: a row an event.
 */
public final class Lifecycle {
  /** A smaller step of progress is not worth storing. */
  private static final double LEAST_PROGRESS = 0.01;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final int mostLosses;
  private final int usedAttempts;

  /**
   * The rules, for a store that was never restored.
   *
   * @param mostLosses a job that the engine lost more often fails
   */
  public Lifecycle(int mostLosses) {
    this(mostLosses, 0);
  }

  /**
   * @param mostLosses a job that the engine lost more often fails
   * @param usedAttempts numbers of attempts up to this one are not given again
   */
  public Lifecycle(int mostLosses, int usedAttempts) {
    this.mostLosses = mostLosses;
    this.usedAttempts = usedAttempts;
  }

  /** A job that was just accepted. */
  public static Job submitted(long id, String user, String key, JobSpec spec, double nowSeconds) {
    String why = spec.after().isEmpty() ? "" : "waits for the jobs it depends on";
    return accepted(id, user, key, "", spec, why, nowSeconds);
  }

  /**
   * A job that was given to the place itself, and is now known.
   *
   * @param arrival what the place calls it
   * @param why it must not be launched yet; empty: it may
   */
  public static Job arrived(
      long id, String user, String arrival, JobSpec spec, String why, double nowSeconds) {
    return accepted(id, user, "", arrival, spec, why, nowSeconds);
  }

  private static Job accepted(
      long id,
      String user,
      String key,
      String arrival,
      JobSpec spec,
      String why,
      double nowSeconds) {
    boolean waits = !why.isEmpty();
    return new Job(
        id,
        user,
        key,
        arrival,
        spec,
        waits ? JobState.SUBMITTED : JobState.QUEUED,
        0,
        null,
        null,
        0,
        0,
        0,
        nowSeconds,
        waits ? Double.NaN : nowSeconds,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        0,
        0,
        0,
        1,
        null,
        waits ? why : "waits for GPUs",
        Meter.NOTHING,
        Backoff.NONE,
        Lost.NOTHING,
        false,
        false);
  }

  /** What should have been asked of the engine, for a job as it was stored. */
  public static List<Effect> wanted(Job job) {
    if (job.state() == JobState.STARTING) {
      return List.of(new Effect.Start(job.attemptId()));
    }
    return job.state().isStopping() ? stop(job) : List.of();
  }

  /**
   * One step.
   *
   * @throws IllegalStateException for what the plane itself must never do, such as to place a job
   *     that does not wait
   */
  public Step step(Job job, JobEvent event, double nowSeconds) {
    return switch (event) {
      case JobEvent.Release() -> release(job, nowSeconds);
      case JobEvent.Doom(String why) -> {
        require(job, JobState.SUBMITTED, event);
        yield ended(job, JobState.CANCELLED, why, nowSeconds);
      }
      case JobEvent.Hold(String why) -> hold(job, why);
      case JobEvent.Leave(String why) -> leave(job, why, nowSeconds);
      case JobEvent.Assign assign -> assign(job, assign, nowSeconds);
      case JobEvent.Begin() -> begin(job, nowSeconds);
      case JobEvent.Seen(Status status) -> seen(job, status, nowSeconds);
      case JobEvent.Missing() -> missing(job);
      case JobEvent.Cancel(String by, boolean force) -> cancel(job, by, force, nowSeconds);
      case JobEvent.Prioritize(int priority, String by) -> prioritize(job, priority, by);
      case JobEvent.Retry() -> retry(job);
      case JobEvent.TimeUp() -> timeUp(job);
    };
  }

  private static Step release(Job job, double nowSeconds) {
    require(job, JobState.SUBMITTED, new JobEvent.Release());
    Draft draft = new Draft(job);
    String why = job.arrival().isEmpty() ? "the jobs it depends on have succeeded" : "may start";
    queue(draft, why + "; waits for GPUs", nowSeconds);
    return new Step(draft.job(), List.of());
  }

  /** One whose attempt has begun is stopped by the place itself, if at all. */
  private static Step hold(Job job, String why) {
    if (!job.state().isWaiting()
        || (job.state() == JobState.SUBMITTED && job.reason().equals(why))) {
      return same(job);
    }
    Draft draft = new Draft(job);
    draft.state = JobState.SUBMITTED;
    draft.target = null;
    draft.eligibleSeconds = Double.NaN;
    draft.reason = why;
    return new Step(draft.job(), List.of());
  }

  /** What became of an attempt is told by its status. */
  private static Step leave(Job job, String why, double nowSeconds) {
    return job.state().isWaiting() ? ended(job, JobState.CANCELLED, why, nowSeconds) : same(job);
  }

  private static Step assign(Job job, JobEvent.Assign assign, double nowSeconds) {
    Draft draft = new Draft(job);
    draft.target = assign.target();
    draft.reason = assign.why();
    draft.learningRateScale =
        assign.target() == null ? job.learningRateScale() : assign.learningRateScale();
    draft.meter = job.meter().predicted(assign.predictedRate());
    switch (job.state()) {
      case QUEUED, PLACED ->
          draft.state = assign.target() == null ? JobState.QUEUED : JobState.PLACED;
      case STARTING, RUNNING -> {
        if (Objects.equals(assign.target(), job.held())) {
          return same(job);
        }
        draft.state = job.saved() ? JobState.CHECKPOINTING : JobState.STOPPING;
        draft.meter = draft.meter.asked(job, nowSeconds);
        return new Step(draft.job(), stop(job));
      }
      case CHECKPOINTING, STOPPING -> {
        if (Objects.equals(assign.target(), job.target())) {
          return same(job);
        }
      }
      default -> throw impossible(job, assign);
    }
    return new Step(draft.job(), List.of());
  }

  private Step begin(Job job, double nowSeconds) {
    require(job, JobState.PLACED, new JobEvent.Begin());
    Draft draft = new Draft(job);
    draft.state = JobState.STARTING;
    draft.attempt = Math.max(job.attempt(), usedAttempts) + 1;
    draft.held = job.target();
    draft.attemptSeconds = Double.NaN;
    draft.meter = job.meter().began(nowSeconds);
    Job after = draft.job();
    return new Step(after, List.of(new Effect.Start(after.attemptId())));
  }

  private Step seen(Job job, Status status, double nowSeconds) {
    Phase phase = status.phase();
    if (status.attempt().attempt() != job.attempt() || !job.state().holdsGpus()) {
      return stray(job, status);
    }
    return switch (phase) {
      case Pending() -> job.state().isStopping() ? again(job, stop(job)) : same(job);
      case Running() -> running(job, status, nowSeconds);
      case Exited exited -> exited(job, status, exited, nowSeconds);
      case Gone(String why) -> gone(job, status, why, nowSeconds);
    };
  }

  /** An attempt that the store thinks is over, or never was: it must not run. */
  public static Step stray(Job job, Status status) {
    return again(
        job,
        List.of(
            status.phase().isEnd()
                ? new Effect.Forget(status.attempt())
                : new Effect.Stop(status.attempt())));
  }

  private static Step running(Job job, Status status, double nowSeconds) {
    boolean known = !Double.isNaN(job.attemptSeconds());
    double share = shareNow(job, status);
    boolean advances = share >= job.doneShare() + LEAST_PROGRESS;
    Meter meter = job.state().isStopping() ? job.meter() : metered(job, status, nowSeconds);
    boolean saved = job.saved() || status.saved();
    if (known && !advances && saved == job.saved() && meter.equals(job.meter())) {
      return job.state().isStopping() ? again(job, stop(job)) : same(job);
    }
    Draft draft = new Draft(job);
    draft.meter = advances && !job.state().isStopping() ? meter.advanced(nowSeconds) : meter;
    draft.saved = saved;
    if (!Double.isNaN(status.doneShare())) {
      draft.says(share);
    }
    if (!known) {
      draft.attemptSeconds = nowSeconds;
      draft.startedSeconds = Double.isNaN(job.startedSeconds()) ? nowSeconds : job.startedSeconds();
    }
    if (job.state() == JobState.STARTING) {
      draft.state = JobState.RUNNING;
      draft.reason = "runs";
    }
    return new Step(draft.job(), job.state().isStopping() ? stop(job) : List.of());
  }

  private static Meter metered(Job job, Status status, double nowSeconds) {
    if (!Double.isNaN(status.doneShare())) {
      return job.meter().reported(status.doneShare(), nowSeconds);
    }
    return job.meter().isSilent(job, nowSeconds) ? job.meter().ran(job) : job.meter();
  }

  private static double shareNow(Job job, Status status) {
    double told = status.doneShare();
    return Double.isNaN(told) ? job.doneShare() : Math.clamp(told, 0, 1);
  }

  private Step exited(Job job, Status status, Exited exited, double nowSeconds) {
    int code = exited.code();
    boolean stopped = exited.stopped();
    Draft draft = settled(job, status, nowSeconds);
    draft.exitCode = code;
    if (!stopped && code == 0) {
      draft.doneShare = 1;
      end(draft, JobState.SUCCEEDED, "ended with code 0", nowSeconds);
    } else if (job.state() == JobState.CANCELLING) {
      end(draft, JobState.CANCELLED, job.reason(), nowSeconds);
    } else if (job.state() == JobState.TIMING_OUT) {
      end(draft, JobState.TIMED_OUT, job.reason(), nowSeconds);
    } else if (!stopped) {
      draft.failures++;
      boolean retried = draft.failures <= job.spec().retries();
      String why = "failed with code " + code + (exited.why().isEmpty() ? "" : ": " + exited.why());
      if (retried) {
        backOff(
            draft,
            job,
            "%s; try %d of %d follows".formatted(why, draft.failures + 1, job.spec().retries() + 1),
            nowSeconds);
      } else {
        end(draft, JobState.FAILED, why, nowSeconds);
      }
    } else if (job.state().isMakingRoom()) {
      resume(draft, job, nowSeconds);
    } else if (!exited.why().isEmpty()) {
      // The engine had to, and did it properly: that is no loss, however often it happens.
      backOff(draft, job, "was stopped: %s; %s".formatted(exited.why(), next(draft)), nowSeconds);
    } else {
      lose(draft, job, "was stopped by somebody else", nowSeconds);
    }
    return new Step(draft.job(), List.of(new Effect.Forget(job.attemptId())));
  }

  private Step gone(Job job, Status status, String why, double nowSeconds) {
    Draft draft = settled(job, status, nowSeconds);
    switch (job.state()) {
      case CANCELLING -> end(draft, JobState.CANCELLED, job.reason(), nowSeconds);
      case TIMING_OUT -> end(draft, JobState.TIMED_OUT, job.reason(), nowSeconds);
      case CHECKPOINTING, STOPPING -> resume(draft, job, nowSeconds);
      default -> lose(draft, job, "was lost: " + why, nowSeconds);
    }
    return new Step(draft.job(), List.of(new Effect.Forget(job.attemptId())));
  }

  /** It stopped as it was asked to: it goes on where the policy wants it, or waits. */
  private static void resume(Draft draft, Job job, double nowSeconds) {
    // It keeps its place in the queue: it did not ask to stop.
    draft.state = draft.target == null ? JobState.QUEUED : JobState.PLACED;
    draft.restarts++;
    draft.meter = job.meter().ended(job, true, nowSeconds);
    draft.startsAgain();
  }

  private void lose(Draft draft, Job job, String why, double nowSeconds) {
    draft.losses++;
    if (draft.losses > mostLosses) {
      end(draft, JobState.FAILED, "%s, %d times".formatted(why, draft.losses), nowSeconds);
    } else {
      backOff(draft, job, "%s; %s".formatted(why, next(draft)), nowSeconds);
    }
  }

  private static String next(Draft draft) {
    return draft.saved ? "goes on from its last checkpoint" : "is started again";
  }

  /** It waits for a while, without GPUs, before it may be started again. */
  private static void backOff(Draft draft, Job before, String why, double nowSeconds) {
    double ran = draft.ranSeconds - before.ranSeconds();
    draft.backoff = before.backoff().next(ran, nowSeconds);
    queue(
        draft,
        "%s after %.0f s, at %s UTC"
            .formatted(
                why,
                draft.backoff.seconds(),
                TIME.format(Instant.ofEpochMilli(Math.round(1e3 * draft.backoff.untilSeconds())))),
        nowSeconds);
    draft.startsAgain();
  }

  private static Step retry(Job job) {
    if (!job.backoff().waits()) {
      return same(job);
    }
    Draft draft = new Draft(job);
    draft.backoff = job.backoff().over();
    if (job.state() == JobState.QUEUED) {
      draft.reason =
          "waited %.0f s to be tried again; waits for GPUs".formatted(job.backoff().seconds());
    }
    return new Step(draft.job(), List.of());
  }

  private Step missing(Job job) {
    // In a restored store: it may have run to its end since, and must not run again.
    boolean isUsed = job.attempt() <= usedAttempts;
    return switch (job.state()) {
      case RUNNING -> lost(job);
      case STARTING -> isUsed ? lost(job) : again(job, wanted(job));
      case CHECKPOINTING, STOPPING, CANCELLING, TIMING_OUT, LOST -> again(job, wanted(job));
      default -> same(job);
    };
  }

  private static Step lost(Job job) {
    Draft draft = new Draft(job);
    draft.state = JobState.LOST;
    draft.target = null;
    draft.reason = "the engine does not know it any more; makes sure that it is gone";
    return new Step(draft.job(), stop(job));
  }

  private static Step cancel(Job job, String by, boolean force, double nowSeconds) {
    return switch (job.state()) {
      case SUBMITTED, QUEUED, PLACED ->
          new Step(
              ended(job, JobState.CANCELLED, "cancelled by " + by, nowSeconds).job(),
              withdraw(job));
      case STARTING, RUNNING, CHECKPOINTING, STOPPING, LOST -> {
        Draft draft = new Draft(job);
        draft.state = JobState.CANCELLING;
        draft.target = null;
        draft.reason = (force ? "killed by " : "cancelled by ") + by;
        draft.forced = force;
        List<Effect> effects = new ArrayList<>(stop(job));
        effects.addAll(withdraw(job));
        yield new Step(draft.job(), effects);
      }
      case CANCELLING, TIMING_OUT -> {
        if (!force || job.forced()) {
          yield same(job);
        }
        Draft draft = new Draft(job);
        draft.reason = "%s, killed by %s".formatted(job.reason(), by);
        draft.forced = true;
        yield new Step(draft.job(), stop(job));
      }
      default -> same(job);
    };
  }

  /** Whoever waits after an attempt that came to nothing goes on telling why. */
  private static Step prioritize(Job job, int priority, String by) {
    if (job.state().isEnd() || priority == job.spec().priority()) {
      return same(job);
    }
    Draft draft = new Draft(job);
    if (!job.backoff().waits()) {
      String given = "was given priority %d by %s".formatted(priority, by);
      draft.reason = job.state() == JobState.QUEUED ? given + "; waits for GPUs" : given;
    }
    return new Step(draft.job(job.spec().withPriority(priority)), List.of());
  }

  private static Step timeUp(Job job) {
    return switch (job.state()) {
      case STARTING, RUNNING, CHECKPOINTING, STOPPING -> {
        Draft draft = new Draft(job);
        draft.state = JobState.TIMING_OUT;
        draft.target = null;
        draft.reason = "ran for its time limit of %.0f s".formatted(job.spec().timeLimitSeconds());
        yield new Step(draft.job(), stop(job));
      }
      default -> same(job);
    };
  }

  /** Its attempt is over: GPUs are given back, and what it used is added up. */
  private static Draft settled(Job job, Status status, double nowSeconds) {
    Draft draft = new Draft(job);
    draft.saved |= status.saved();
    if (!Double.isNaN(status.doneShare())) {
      draft.says(shareNow(job, status));
    }
    draft.settle(nowSeconds);
    draft.meter = job.meter().ended(job, false, nowSeconds);
    return draft;
  }

  private static void queue(Draft draft, String why, double nowSeconds) {
    draft.state = JobState.QUEUED;
    draft.target = null;
    draft.eligibleSeconds = nowSeconds;
    draft.reason = why;
  }

  private static void end(Draft draft, JobState state, String why, double nowSeconds) {
    draft.state = state;
    draft.target = null;
    draft.backoff = draft.backoff.over();
    draft.endedSeconds = nowSeconds;
    draft.reason = why;
  }

  private static Step ended(Job job, JobState state, String why, double nowSeconds) {
    Draft draft = new Draft(job);
    end(draft, state, why, nowSeconds);
    return new Step(draft.job(), List.of());
  }

  private static List<Effect> withdraw(Job job) {
    return job.arrival().isEmpty()
        ? List.of()
        : List.of(new Effect.Withdraw(job.attemptId(), job.arrival()));
  }

  private static List<Effect> stop(Job job) {
    return List.of(new Effect.Stop(job.attemptId()));
  }

  private static Step again(Job job, List<Effect> effects) {
    return new Step(job, effects);
  }

  private static Step same(Job job) {
    return new Step(job, List.of());
  }

  private static void require(Job job, JobState state, JobEvent event) {
    if (job.state() != state) {
      throw impossible(job, event);
    }
  }

  private static IllegalStateException impossible(Job job, JobEvent event) {
    return new IllegalStateException(
        "job %d is %s: %s cannot be".formatted(job.id(), job.state().text(), event));
  }
}
