package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Commands;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Effect;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.job.Step;
import io.ringmaster.control.store.Loaded;
import io.ringmaster.control.store.Restoration;
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The live plane. Has no thread and no clock: whoever drives it calls {@link #step} from one
 * thread, so that it can also be driven on virtual time.
 *
 * <p>All open jobs are in memory; the store is written in one transaction a step, before anybody is
 * answered or the engine asked, and only if what must hold does. Should a step throw, this object
 * is of no use any more: memory may be ahead of the store. A new one, under a new term, takes up
 * where the store says things stand.
 */
public final class Plane {
  /** Numbers of commands within a term. */
  private static final int ORDER_BITS = 40;

  /** When a worker is to exchange, so that it meets no other ring. */
  private static final String TURN = "RINGMASTER_TURN";

  /** Between two looks at the engine, at least. */
  private static final double LEAST_OBSERVE_SECONDS = 0.2;

  /** How often the clock is noted in the store. */
  private static final double MARK_SECONDS = 60;

  private final PlaneConfig config;
  private final Store store;
  private final long term;
  private final Commands commands;
  private final PlaneListener listener;
  private final Lifecycle lifecycle;
  private final Experience experience;
  private final Scheduler scheduler;
  private final Map<Long, Job> open = new HashMap<>();
  private final Inventory inventory;
  private final Map<String, Integer> heldGpus = new HashMap<>();
  private final Set<Long> placed = new LinkedHashSet<>();
  private final Invariants invariants;
  private final Reconciler reconciler;
  private final HandedTurns turns;
  private final Intake intake;
  private final Arrivals arrivals;
  private final Outbox outbox;
  private final Sampler sampler = new Sampler();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(Comparator.comparingDouble(Alarm::dueSeconds));

  /** Jobs that were launched in this step. */
  private final Set<Long> launched = new HashSet<>();

  private final ClockMark start;
  private final double setForwardSeconds;
  private long order;
  private double now;
  private double nextObserveSeconds;
  private double lastObserveSeconds = Double.NEGATIVE_INFINITY;
  private double nextMarkSeconds;

  /** Whether the engine may run what this store, which was restored, does not know. */
  private boolean unseen;

  /** What happens to a job by itself, unless it has begun another attempt by then. */
  private record Alarm(double dueSeconds, long job, int attempt, JobEvent event) {}

  /**
   * Takes up where the store says things stand, under a term of leading.
   *
   * @param start what the clock says now by which {@link #step} is called
   */
  public Plane(
      PlaneConfig config,
      Store store,
      long term,
      Commands commands,
      PlaneListener listener,
      ClockMark start) {
    this.config = config;
    this.store = store;
    this.term = term;
    this.commands = commands;
    this.listener = listener;
    this.order = term << ORDER_BITS;
    this.start = start;
    this.now = start.seconds();
    this.nextObserveSeconds = now;
    Loaded loaded = store.load();
    Restoration restoration = Restoration.of(loaded.settings());
    this.lifecycle = new Lifecycle(config.mostLosses(), restoration.attempts());
    this.unseen = restoration.isUnseen();
    this.turns = new HandedTurns(config.models());
    this.inventory = new Inventory(config, loaded.nodes());
    this.invariants = new Invariants(open, placed, heldGpus, inventory::usableGpus);
    this.experience = new Experience(config, loaded);
    this.scheduler =
        new Scheduler(this, ChosenPolicy.of(loaded.settings(), config), experience, listener, term);
    this.outbox = new Outbox(loaded.lastEntry());
    this.setForwardSeconds = start.setForwardSince(loaded.settings().get(ClockMark.SETTING));
    mark();
    loaded.open().forEach(this::takeUp);
    this.intake = new Intake(this, store, loaded.lastJob());
    this.arrivals = new Arrivals(this, intake, store);
    this.reconciler = new Reconciler(this, arrivals, config.patienceSeconds(), order);
    intake.recheckDependencies();
  }

  /** Notes what the clock says, for whoever takes up from here. */
  private void mark() {
    outbox.put(ClockMark.SETTING, start.at(now).text());
    nextMarkSeconds = now + MARK_SECONDS;
  }

  /** A job is taken up as if the clock had always been as it is; stored with the mark of it. */
  private void takeUp(Job job) {
    Job taken = job.interrupted();
    if (setForwardSeconds != 0) {
      taken = taken.clockSet(setForwardSeconds);
      outbox.put(job, taken, now);
    }
    adopt(taken);
  }

  private void adopt(Job job) {
    open.put(job.id(), job);
    count(job.held(), 1);
    if (job.state() == JobState.PLACED) {
      placed.add(job.id());
    }
    setAlarms(job);
  }

  /** How far the clock was set forward since the last server looked at it; negative: back. */
  double setForwardSeconds() {
    return setForwardSeconds;
  }

  PlaneConfig config() {
    return config;
  }

  Map<Long, Job> open() {
    return open;
  }

  Inventory inventory() {
    return inventory;
  }

  double nowSeconds() {
    return now;
  }

  /** Of the last command. */
  long order() {
    return order;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Outbox outbox() {
    return outbox;
  }

  /**
   * Takes messages in, asks the policy, stores what follows from both, and only then replies and
   * sends commands.
   *
   * @return whether the store was asked to write, and so has answered
   */
  public boolean step(double nowSeconds, List<Message> messages) {
    now = Math.max(now, nowSeconds);
    for (Message message : messages) {
      switch (message) {
        case Message.FromEngine(Report.Changed(var status)) -> reconciler.seen(status);
        case Message.FromEngine(Report.Observed observed) -> reconciler.observed(observed);
        case Message.Look _ -> nextObserveSeconds = Math.min(nextObserveSeconds, soonSeconds());
        case Message.Submit submit -> intake.submit(submit, now);
        case Message.Cancel cancel -> intake.cancel(cancel);
        case Message.Prioritize prioritize -> intake.prioritize(prioritize);
        case Message.Drain drain -> intake.drain(drain);
        case Message.SetPolicy set -> intake.setPolicy(set);
      }
    }
    while (!alarms.isEmpty() && alarms.peek().dueSeconds() <= now) {
      ring(alarms.poll());
    }
    scheduler.decide();
    begin();
    check(messages.stream().anyMatch(Plane::tellsAll));
    boolean observes = nextObserveSeconds <= now;
    if (observes && nextMarkSeconds <= now) {
      mark();
    }
    // Also when there is nothing to write: only who still leads may ask anything of the engine.
    boolean commits = observes || !outbox.isEmpty();
    if (commits) {
      commit();
    }
    if (observes) {
      lastObserveSeconds = now;
      nextObserveSeconds = now + config.observeSeconds();
      commands.send(new Command.Observe(++order));
    }
    return commits;
  }

  /** People may give hundreds of jobs to the place in a second: one look tells of all of them. */
  private double soonSeconds() {
    return Math.max(now, lastObserveSeconds + LEAST_OBSERVE_SECONDS);
  }

  private static boolean tellsAll(Message message) {
    return message instanceof Message.FromEngine(Report.Observed _);
  }

  /**
   * Looks before anything is stored whether what must hold does.
   *
   * @param all whether to look at every job, and not only at those that changed: as often as the
   *     engine tells of all of them
   * @throws BrokenInvariant if not
   */
  private void check(boolean all) {
    outbox.jobs().forEach(job -> invariants.check(job, launched.contains(job.id())));
    launched.clear();
    scheduler.check(outbox.jobs());
    if (all) {
      invariants.checkAll();
      intake.checkAll();
      scheduler.checkAll();
    }
  }

  /** When {@link #step} is to be called next, even without a message. */
  public double wakeSeconds() {
    double wake = Math.min(nextObserveSeconds, scheduler.wakeSeconds());
    return alarms.isEmpty() ? wake : Math.min(wake, alarms.peek().dueSeconds());
  }

  /** Makes something happen to an open job. */
  Job apply(Job job, JobEvent event) {
    Step step = lifecycle.step(job, event, now);
    if (!step.job().equals(job)) {
      change(job, step.job());
    }
    outbox.effects.addAll(step.effects());
    return step.job();
  }

  /** A job is there that was not. */
  void accept(Job job) {
    outbox.put(null, job, now);
    open.put(job.id(), job);
    scheduler.accepted(job);
  }

  private void change(Job before, Job after) {
    outbox.put(before, after, now);
    experience.changed(before, after, outbox, now);
    sampler.changed(before, after, now);
    if (!before.lost().equals(after.lost())) {
      listener.lost(
          after.lost().seconds() - before.lost().seconds(),
          after.lost().gpuSeconds() - before.lost().gpuSeconds());
    }
    if (!Objects.equals(before.held(), after.held())) {
      count(before.held(), -1);
      count(after.held(), 1);
    }
    if (after.state() == JobState.PLACED) {
      placed.add(after.id());
    } else {
      placed.remove(after.id());
    }
    if (after.state().isEnd()) {
      open.remove(after.id());
    } else {
      open.put(after.id(), after);
    }
    if (Double.isNaN(before.attemptSeconds()) != Double.isNaN(after.attemptSeconds())
        || !before.backoff().equals(after.backoff())) {
      setAlarms(after);
    }
    scheduler.changed(before, after);
    if (after.state().isEnd()) {
      intake.ended(after);
      arrivals.ended(after);
    }
  }

  private void count(@Nullable Allocation held, int sign) {
    if (held != null) {
      for (Allocation.Share share : held.shares()) {
        int gpus = heldGpus.getOrDefault(share.node(), 0) + sign * share.gpus();
        if (gpus == 0) {
          heldGpus.remove(share.node());
        } else {
          heldGpus.put(share.node(), gpus);
        }
      }
    }
  }

  private void setAlarms(Job job) {
    double limit = job.spec().timeLimitSeconds();
    if (!Double.isNaN(limit) && !Double.isNaN(job.attemptSeconds()) && !job.state().isEnd()) {
      setAlarm(job, job.attemptSeconds() + limit - job.ranSeconds(), new JobEvent.TimeUp());
    }
    if (job.backoff().waits()) {
      setAlarm(job, job.backoff().untilSeconds(), new JobEvent.Retry());
    }
  }

  private void setAlarm(Job job, double dueSeconds, JobEvent event) {
    alarms.add(new Alarm(dueSeconds, job.id(), job.attempt(), event));
  }

  private void ring(Alarm alarm) {
    Job job = open.get(alarm.job());
    if (job != null && job.attempt() == alarm.attempt()) {
      apply(job, alarm.event());
    }
  }

  /** Launches what was placed and whose GPUs nobody's processes are on, nor others hold. */
  private void begin() {
    if (unseen) {
      return;
    }
    for (long id : new ArrayList<>(placed)) {
      Job job = Objects.requireNonNull(open.get(id));
      if (isFree(Objects.requireNonNull(job.target()))) {
        apply(job, new JobEvent.Begin());
        launched.add(id);
      }
    }
  }

  /** The engine told all that it knows, and nothing runs there that the store does not know. */
  void allSeen() {
    if (unseen) {
      unseen = false;
      Restoration.seen().forEach(outbox::put);
    }
  }

  private boolean isFree(Allocation target) {
    for (Allocation.Share share : target.shares()) {
      int held = heldGpus.getOrDefault(share.node(), 0);
      if (held + share.gpus() > inventory.usableGpus(share.node())) {
        return false;
      }
    }
    return true;
  }

  private void commit() {
    var write = outbox.write(sampler.take(now, open.values(), inventory.rows()));
    long from = System.nanoTime();
    store.write(term, write);
    listener.stored(
        (System.nanoTime() - from) * 1e-9,
        write.jobs().size() + write.entries().size(),
        outbox.lastEntry());
    List<Runnable> replies = List.copyOf(outbox.replies);
    List<Effect> effects = List.copyOf(outbox.effects);
    outbox.clear();
    replies.forEach(Runnable::run);
    effects.forEach(this::carryOut);
  }

  private void carryOut(Effect effect) {
    order++;
    if (effect instanceof Effect.Start || effect instanceof Effect.Stop) {
      reconciler.asked(effect.attempt(), order, now);
    }
    switch (effect) {
      case Effect.Start(var attempt) -> {
        Job job = open.get(attempt.job());
        if (job != null && job.attempt() == attempt.attempt() && job.held() != null) {
          commands.send(
              new Command.Start(
                  order,
                  new Launch(
                      attempt,
                      job.user(),
                      turns
                          .next(job, inventory.whole(), open.values())
                          .map(turn -> job.spec().with(TURN, turn))
                          .orElse(job.spec()),
                      inventory.inRingOrder(job.held()),
                      job.arrival(),
                      job.learningRateScale())));
        }
      }
      case Effect.Stop(var attempt) -> {
        Job job = open.get(attempt.job());
        commands.send(new Command.Stop(order, attempt, graceSeconds(job)));
      }
      case Effect.Forget(var attempt) -> commands.send(new Command.Forget(order, attempt));
      case Effect.Withdraw(var attempt, var arrival) ->
          commands.send(new Command.Withdraw(order, attempt.job(), arrival));
    }
  }

  /**
   * Who goes on later may take the time it was given to save; who ends for good holds up others.
   */
  private double graceSeconds(@Nullable Job job) {
    if (job == null || job.forced()) {
      return 0;
    }
    boolean isForGood = !job.state().isMakingRoom();
    return Math.min(job.spec().graceSeconds(), config.limits().mostGraceSeconds(!isForGood));
  }
}
