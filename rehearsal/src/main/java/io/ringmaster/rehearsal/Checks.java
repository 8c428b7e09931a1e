package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.plane.ChosenPolicy;
import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.control.store.Entry;
import io.ringmaster.control.store.JobQuery;
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holds a world to every {@link Invariant}. Shares nothing with the plane: it compares what
 * physically happened, what the store says and what clients were promised.
 *
 * <p>Longer than others, because it is one list of what must hold, and nothing else.
 */
final class Checks implements Machines.Watcher {
  private static final int PAGE = 1000;

  private final Store store;
  private final Trace trace;
  private final Map<String, Integer> quotas;
  private final UserLimits limits;
  private final int mostLosses;
  private final Promises promises = new Promises(this);
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Long, Entry> last = new HashMap<>();
  private final Map<AttemptId, String> begun = new HashMap<>();
  private final Set<AttemptId> started = new HashSet<>();
  private final Set<AttemptId> lostByEngine = new HashSet<>();
  private final Set<String> mayLeave = new HashSet<>();
  private ToldNodes told = new ToldNodes(List.of());
  private @Nullable Violation violation;

  Checks(Store store, Trace trace, PlaneConfig config) {
    this.store = store;
    this.trace = trace;
    this.quotas = config.quotaGpus();
    this.limits = config.limits();
    this.mostLosses = config.mostLosses();
  }

  Promises promises() {
    return promises;
  }

  /** The first that was found; null: none. */
  @Nullable Violation violation() {
    return violation;
  }

  /** Notes a violation; the world ends with the first. */
  void broken(Invariant invariant, String what) {
    if (violation == null) {
      violation = new Violation(invariant, what);
      trace.say("CHECKS", violation.toString());
    }
  }

  /** The engine lost an attempt and its processes: it may be started once more. */
  void lost(AttemptId attempt) {
    lostByEngine.add(attempt);
  }

  // What physically happens.

  @Override
  public void starts(Machines machines, Launch launch) {
    AttemptId attempt = launch.attempt();
    for (Allocation.Share share : launch.allocation().shares()) {
      if (share.gpus() > machines.free(share.node())) {
        broken(
            Invariant.GPU_GIVEN_TWICE,
            "%s starts with %d GPUs of node %s, where %d are used and others hold %d of %d"
                .formatted(
                    attempt,
                    share.gpus(),
                    share.node(),
                    machines.used(share.node()),
                    machines.others(share.node()),
                    machines.gpus().getOrDefault(share.node(), 0)));
      }
    }
    int ofUser = launch.allocation().workers();
    for (Machines.Gang gang : machines.gangs()) {
      ofUser +=
          gang.launch().user().equals(launch.user()) ? gang.launch().allocation().workers() : 0;
      if (gang.attempt().job() == attempt.job()) {
        broken(
            Invariant.TWO_ATTEMPTS_AT_ONCE,
            "%s starts while %s runs".formatted(attempt, gang.attempt()));
      }
    }
    if (ofUser > quotas.getOrDefault(launch.user(), Integer.MAX_VALUE)) {
      broken(
          Invariant.QUOTA,
          "%s starts, and %s has %d GPUs".formatted(attempt, launch.user(), ofUser));
    }
    if (!started.add(attempt) && !lostByEngine.remove(attempt)) {
      broken(Invariant.ATTEMPT_RAN_TWICE, attempt + " starts for the second time");
    }
    startsAsStored(launch);
  }

  private void startsAsStored(Launch launch) {
    AttemptId attempt = launch.attempt();
    @Nullable Entry now = last.get(attempt.job());
    if (now == null || !launch.allocation().text().equals(begun.get(attempt))) {
      broken(
          Invariant.EFFECT_BEFORE_STORE,
          "%s starts on %s, and the store has %s for it"
              .formatted(attempt, launch.allocation(), begun.get(attempt)));
      return;
    }
    if (now.to().isEnd() || now.attempt() != attempt.attempt()) {
      broken(
          Invariant.RAN_AFTER_END,
          "%s starts, and the store says %s, attempt %d"
              .formatted(attempt, now.to().text(), now.attempt()));
    }
    for (long before : launch.spec().after()) {
      @Nullable Entry state = last.get(before);
      if (state == null || state.to() != JobState.SUCCEEDED) {
        broken(
            Invariant.DEPENDENCY,
            "%s starts, and job %d is %s"
                .formatted(attempt, before, state == null ? "unknown" : state.to().text()));
      }
    }
    if (attempt.attempt() > promises.lastAttempt(attempt.job())) {
      broken(Invariant.CANCEL, attempt + " starts after the job's cancel was acknowledged");
    }
  }

  /** In fair weather, what must stop does. */
  void stops(List<Machines.Gang> gangs, double now, double fairSeconds, double slackSeconds) {
    for (Machines.Gang gang : gangs) {
      JobSpec spec = gang.launch().spec();
      double patience = spec.graceSeconds() + slackSeconds;
      double from = Math.max(gang.fromSeconds(), fairSeconds);
      if (now - from > spec.timeLimitSeconds() + Life.of(spec).startSeconds() + patience) {
        broken(
            Invariant.TIME_LIMIT,
            "%s has run for %.0f s, and may run for %.0f s"
                .formatted(gang.attempt(), now - gang.fromSeconds(), spec.timeLimitSeconds()));
      }
      double cancelled = promises.cancelledSeconds(gang.attempt().job());
      double grace = promises.graceSeconds(gang.attempt().job(), spec.graceSeconds());
      if (now - Math.max(cancelled, fairSeconds) > grace + slackSeconds) {
        broken(Invariant.CANCEL, "%s was cancelled and still runs".formatted(gang.attempt()));
      }
    }
  }

  // What the plane sends.

  /** A command leaves the plane: what it rests on must be in the history by now. */
  void sent(Command command) {
    switch (command) {
      case Command.Start(long _, Launch launch) -> {
        if (!launch.allocation().text().equals(begun.get(launch.attempt()))) {
          broken(
              Invariant.EFFECT_BEFORE_STORE,
              "a start of %s on %s is sent before it is stored"
                  .formatted(launch.attempt(), launch.allocation()));
        }
      }
      case Command.Forget(long _, AttemptId attempt) -> {
        @Nullable Entry now = last.get(attempt.job());
        if (now != null && now.attempt() == attempt.attempt() && now.to().holdsGpus()) {
          broken(
              Invariant.FORGOT_TOO_EARLY,
              "%s is forgotten, and the store has it as %s".formatted(attempt, now.to().text()));
        }
      }
      case Command.Stop _, Command.Withdraw _, Command.Observe _ -> {}
    }
  }

  // What the store says.

  /** Reads what is new in the history. */
  void history(Machines machines) {
    while (true) {
      List<Entry> news = store.entriesAfter(entries.size(), PAGE);
      for (Entry entry : news) {
        if (entry.serial() != entries.size() + 1) {
          broken(
              Invariant.LEGAL_HISTORY,
              "serial %d follows %d".formatted(entry.serial(), entries.size()));
        }
        entries.add(entry);
        trace.say("store", text(entry));
        follows(last.put(entry.job(), entry), entry);
        settles(entry, machines);
        if (entry.from() == null && open(entry.user()) > limits.openJobs()) {
          broken(
              Invariant.USER_LIMIT,
              "%s has %d open jobs".formatted(entry.user(), open(entry.user())));
        }
      }
      if (news.size() < PAGE) {
        break;
      }
    }
    String failure = store.settings().getOrDefault(ChosenPolicy.ERROR, "");
    if (!failure.isEmpty()) {
      broken(Invariant.POLICY_FAILED, failure);
    }
  }

  private long open(String user) {
    return last.values().stream()
        .filter(entry -> entry.user().equals(user) && !entry.to().isEnd())
        .count();
  }

  /** A user was refused a job because of a limit. */
  void refused(String user) {
    UserLimits usual = UserLimits.usual();
    if (limits.openJobs() == usual.openJobs() && limits.specBytes() == usual.specBytes()) {
      broken(Invariant.WRONGLY_REFUSED, "a job of " + user + ", who has few");
    }
  }

  /** How much of the history is known. */
  int seen() {
    return entries.size();
  }

  private void follows(@Nullable Entry before, Entry entry) {
    @Nullable JobState from = before == null ? null : before.to();
    if (from != entry.from() || !Transitions.isLegal(from, entry.to())) {
      broken(
          Invariant.LEGAL_HISTORY,
          "job %d: %s to %s after %s".formatted(entry.job(), entry.from(), entry.to(), from));
    }
    int attempt = before == null ? 0 : before.attempt();
    int next = entry.to() == JobState.STARTING ? attempt + 1 : attempt;
    if (entry.attempt() != next) {
      broken(
          Invariant.LEGAL_HISTORY,
          "job %d: attempt %d follows %d".formatted(entry.job(), entry.attempt(), attempt));
    }
  }

  private void settles(Entry entry, Machines machines) {
    if (entry.to() == JobState.STARTING) {
      begun.put(new AttemptId(entry.job(), entry.attempt()), entry.allocation());
      String why = told.whyNoRoom(Allocation.of(entry.allocation()), heldGpus());
      if (why != null) {
        broken(Invariant.ROOM_AS_TOLD, "job %d begins on %s".formatted(entry.job(), why));
      }
    }
    if (entry.to() == JobState.PLACED || entry.to() == JobState.STARTING) {
      for (Allocation.Share share : Allocation.of(entry.allocation()).shares()) {
        if (promises.isDrained(share.node())) {
          broken(
              Invariant.DRAIN,
              "job %d is placed on %s, which is drained".formatted(entry.job(), share.node()));
        }
      }
    }
    if (entry.to().isEnd() || !entry.to().holdsGpus()) {
      for (Machines.Gang gang : machines.gangs()) {
        if (gang.attempt().job() == entry.job()) {
          broken(
              Invariant.RAN_AFTER_END,
              "job %d is %s while %s runs"
                  .formatted(entry.job(), entry.to().text(), gang.attempt()));
        }
      }
    }
    if (entry.to() == JobState.CANCELLED
        && !promises.mayBeCancelled(entry.job())
        && !mayLeave.contains(arrivalOf(entry.job()))
        && entry.from() != JobState.SUBMITTED) {
      broken(Invariant.CANCEL, "job %d was cancelled by nobody".formatted(entry.job()));
    }
  }

  /** What was given to the engine may be gone from now on, or seem to be. */
  void mayLeave(String arrival) {
    mayLeave.add(arrival);
  }

  private String arrivalOf(long job) {
    return store.job(job).map(Job::arrival).orElse("");
  }

  /** What people gave to the engine itself is one job each, and ended here as it did there. */
  void arrivals(Collection<GivenJobs.Given> given) {
    Map<String, List<Job>> rows =
        allRows().values().stream().collect(Collectors.groupingBy(Job::arrival));
    for (GivenJobs.Given each : given) {
      List<Job> jobs = rows.getOrDefault(each.id(), List.of());
      boolean isRight =
          jobs.size() == 1
              && jobs.getFirst().user().equals(each.user())
              && jobs.getFirst().spec().equals(each.spec())
              && (jobs.getFirst().state() == JobState.SUCCEEDED) == each.wasDone();
      if (!isRight && !(jobs.isEmpty() && mayLeave.contains(each.id()))) {
        broken(
            Invariant.ARRIVAL,
            "%s of %s, which was %s there, is %s"
                .formatted(
                    each.id(),
                    each.user(),
                    each.wasDone() ? "done" : "not done",
                    jobs.stream().map(job -> job.id() + " " + job.state().text()).toList()));
      }
    }
  }

  /** What the engine told of its nodes in the newest answer that a plane has stored. */
  void told(List<Node> nodes) {
    told = new ToldNodes(nodes);
  }

  private Map<String, Integer> heldGpus() {
    Map<String, Integer> held = new HashMap<>();
    for (Entry entry : last.values()) {
      String allocation = begun.get(new AttemptId(entry.job(), entry.attempt()));
      if (entry.to().holdsGpus() && allocation != null) {
        Allocation.of(allocation)
            .shares()
            .forEach(share -> held.merge(share.node(), share.gpus(), Integer::sum));
      }
    }
    return held;
  }

  static String text(Entry entry) {
    return "job %d %s -> %s, attempt %d%s: %s"
        .formatted(
            entry.job(),
            entry.from() == null ? "new" : entry.from().text(),
            entry.to().text(),
            entry.attempt(),
            entry.allocation().isEmpty() ? "" : " on " + entry.allocation(),
            entry.reason());
  }

  // The whole, when a plane takes up its work and at the end.

  /** Rows must agree with the history, and with each other. */
  void rows(Machines machines) {
    Map<Long, Job> rows = allRows();
    Map<String, Integer> held = new HashMap<>();
    for (Entry entry : last.values()) {
      @Nullable Job row = rows.get(entry.job());
      if (row == null) {
        broken(Invariant.JOB_LOST, "job %d has a history and no row".formatted(entry.job()));
        return;
      }
      row(row, entry);
      if (row.held() != null) {
        row.held().shares().forEach(s -> held.merge(s.node(), s.gpus(), Integer::sum));
      }
    }
    held.forEach((node, gpus) -> {
      if (gpus > machines.mostGpus(node)) {
        broken(Invariant.GPU_GIVEN_TWICE, "rows hold %d GPUs of node %s".formatted(gpus, node));
      }
    });
    if (rows.size() != last.size()) {
      broken(
          Invariant.HISTORY_AGREES,
          "%d rows, and a history of %d jobs".formatted(rows.size(), last.size()));
    }
    promises.accepted().forEach((id, accepted) -> kept(id, accepted, rows.get(id)));
  }

  private Map<Long, Job> allRows() {
    Map<Long, Job> rows = new HashMap<>();
    for (Job job : store.jobs(new JobQuery("", Set.of(), Long.MAX_VALUE, PAGE))) {
      rows.put(job.id(), job);
    }
    return rows;
  }

  private void kept(long id, Promises.Accepted accepted, @Nullable Job row) {
    if (row == null
        || !row.user().equals(accepted.user())
        || !row.key().equals(accepted.key())
        || !row.spec().equals(accepted.spec())) {
      broken(
          Invariant.JOB_LOST,
          "job %d of %s was acknowledged and is %s"
              .formatted(id, accepted.user(), row == null ? "not there" : "another"));
    }
  }

  private void row(Job job, Entry entry) {
    if (job.state() != entry.to()
        || job.attempt() != entry.attempt()
        || !job.user().equals(entry.user())
        || (job.held() != null) != job.state().holdsGpus()
        || Double.isNaN(job.endedSeconds()) == job.state().isEnd()) {
      broken(
          Invariant.HISTORY_AGREES,
          "job %d: the row says %s, attempt %d, held %s; the history %s, attempt %d"
              .formatted(
                  job.id(),
                  job.state().text(),
                  job.attempt(),
                  job.held(),
                  entry.to().text(),
                  entry.attempt()));
    }
    // Every attempt ends in one way, and is counted once.
    boolean lastCounts =
        switch (job.state()) {
          case SUCCEEDED, TIMED_OUT -> true;
          case CANCELLED -> entry.from() == JobState.CANCELLING;
          default -> job.state().holdsGpus();
        };
    int ends = job.failures() + job.losses() + job.restarts() + (lastCounts ? 1 : 0);
    if (ends != job.attempt()) {
      broken(
          Invariant.FAILURE_IS_REAL,
          "job %d, %s: %d failures, %d losses and %d restarts in %d attempts"
              .formatted(
                  job.id(),
                  job.state().text(),
                  job.failures(),
                  job.losses(),
                  job.restarts(),
                  job.attempt()));
    }
    if (job.state() == JobState.FAILED
        && job.failures() <= job.spec().retries()
        && job.losses() <= mostLosses) {
      broken(Invariant.FAILURE_IS_REAL, "job %d failed too early".formatted(job.id()));
    }
  }

  /** What was done must be what is said to be done. */
  void runs(List<Machines.Run> runs) {
    Map<Long, Machines.Run> lastRun = new HashMap<>();
    Map<Long, Integer> completed = new HashMap<>();
    Map<Long, Integer> crashed = new HashMap<>();
    for (Machines.Run run : runs) {
      lastRun.put(run.attempt().job(), run);
      if (!run.asked()) {
        (run.code() == 0 ? completed : crashed).merge(run.attempt().job(), 1, Integer::sum);
      }
    }
    Map<Long, Job> rows = allRows();
    for (Entry entry : last.values()) {
      Job job = Objects.requireNonNull(rows.get(entry.job()));
      boolean succeeded = entry.to() == JobState.SUCCEEDED;
      Machines.@Nullable Run run = lastRun.get(entry.job());
      boolean done = run != null && run.code() == 0 && !run.asked() && run.toShare() >= 1;
      if (succeeded != (completed.getOrDefault(entry.job(), 0) == 1) || succeeded != done) {
        broken(
            Invariant.SUCCESS_IS_REAL,
            "job %d is %s, its work was completed %d times, its last run was %s"
                .formatted(
                    entry.job(), entry.to().text(), completed.getOrDefault(entry.job(), 0), run));
      }
      if (job.failures() > crashed.getOrDefault(entry.job(), 0)) {
        broken(
            Invariant.FAILURE_IS_REAL,
            "job %d: %d failures are counted, %d happened"
                .formatted(entry.job(), job.failures(), crashed.getOrDefault(entry.job(), 0)));
      }
    }
  }

  /** In fair weather, everything came to an end. */
  void allEnded() {
    for (Entry entry : last.values()) {
      if (!entry.to().isEnd()) {
        broken(
            Invariant.LIVENESS,
            "job %d is still %s: %s".formatted(entry.job(), entry.to().text(), entry.reason()));
      }
    }
  }

  boolean areAllEnded() {
    return last.values().stream().allMatch(entry -> entry.to().isEnd());
  }
}
