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
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
  private final Intake intake;
  private final Outbox outbox;
  private final PriorityQueue<Limit> limits =
      new PriorityQueue<>(Comparator.comparingDouble(Limit::dueSeconds));
  private long order;
  private double now;
  private double nextObserveSeconds;

  private record Limit(double dueSeconds, long job, int attempt) {}

  /** Takes up where the store says things stand, under a term of leading. */
  public Plane(
      PlaneConfig config,
      Store store,
      long term,
      Commands commands,
      PlaneListener listener,
      double nowSeconds) {
    this.config = config;
    this.store = store;
    this.term = term;
    this.commands = commands;
    this.listener = listener;
    this.lifecycle = new Lifecycle(config.mostLosses());
    this.order = term << ORDER_BITS;
    this.now = nowSeconds;
    this.nextObserveSeconds = nowSeconds;
    Loaded loaded = store.load();
    this.inventory = new Inventory(config, loaded.nodes());
    this.invariants = new Invariants(open, placed, heldGpus, inventory::usableGpus);
    this.experience = new Experience(config, loaded);
    this.scheduler =
        new Scheduler(this, ChosenPolicy.of(loaded.settings(), config), experience, listener, term);
    this.outbox = new Outbox(loaded.lastEntry());
    this.reconciler = new Reconciler(this, config.patienceSeconds(), order);
    loaded.open().forEach(job -> adopt(job.interrupted()));
    this.intake = new Intake(this, store, loaded.lastJob());
    intake.recheckDependencies();
  }

  private void adopt(Job job) {
    open.put(job.id(), job);
    count(job.held(), 1);
    if (job.state() == JobState.PLACED) {
      placed.add(job.id());
    }
    limit(job);
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
   */
  public void step(double nowSeconds, List<Message> messages) {
    now = Math.max(now, nowSeconds);
    for (Message message : messages) {
      switch (message) {
        case Message.FromEngine(Report.Changed(var status)) -> reconciler.seen(status);
        case Message.FromEngine(Report.Observed observed) -> reconciler.observed(observed);
        case Message.Submit submit -> intake.submit(submit, now);
        case Message.Cancel cancel -> intake.cancel(cancel);
        case Message.Drain drain -> intake.drain(drain);
        case Message.SetPolicy set -> intake.setPolicy(set);
      }
    }
    while (!limits.isEmpty() && limits.peek().dueSeconds() <= now) {
      timeUp(limits.poll());
    }
    scheduler.decide();
    begin();
    check(messages.stream().anyMatch(Plane::tellsAll));
    commit();
    if (nextObserveSeconds <= now) {
      nextObserveSeconds = now + config.observeSeconds();
      commands.send(new Command.Observe(++order));
    }
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
    outbox.jobs().forEach(invariants::check);
    scheduler.check(outbox.jobs());
    if (all) {
      invariants.checkAll();
      scheduler.checkAll();
    }
  }

  /** When {@link #step} is to be called next, even without a message. */
  public double wakeSeconds() {
    double wake = Math.min(nextObserveSeconds, scheduler.wakeSeconds());
    return limits.isEmpty() ? wake : Math.min(wake, limits.peek().dueSeconds());
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
    if (Double.isNaN(before.attemptSeconds())) {
      limit(after);
    }
    scheduler.changed(before, after);
    if (after.state().isEnd()) {
      intake.ended(after);
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

  private void limit(Job job) {
    double limit = job.spec().timeLimitSeconds();
    if (!Double.isNaN(limit) && !Double.isNaN(job.attemptSeconds()) && !job.state().isEnd()) {
      limits.add(
          new Limit(job.attemptSeconds() + limit - job.ranSeconds(), job.id(), job.attempt()));
    }
  }

  private void timeUp(Limit limit) {
    Job job = open.get(limit.job());
    if (job != null && job.attempt() == limit.attempt()) {
      apply(job, new JobEvent.TimeUp());
    }
  }

  /** Launches what was placed and whose GPUs nobody's processes are on, nor others hold. */
  private void begin() {
    for (long id : new ArrayList<>(placed)) {
      Job job = Objects.requireNonNull(open.get(id));
      if (isFree(Objects.requireNonNull(job.target()))) {
        apply(job, new JobEvent.Begin());
      }
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
    if (outbox.isEmpty()) {
      return;
    }
    var write = outbox.write();
    long from = System.nanoTime();
    // Also when there is nothing to write: only who still leads may ask anything of the engine.
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
    if (!(effect instanceof Effect.Forget)) {
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
                      attempt, job.user(), job.spec(), job.held(), job.learningRateScale())));
        }
      }
      case Effect.Stop(var attempt) -> {
        Job job = open.get(attempt.job());
        commands.send(
            new Command.Stop(order, attempt, job == null ? 0 : job.spec().graceSeconds()));
      }
      case Effect.Forget(var attempt) -> commands.send(new Command.Forget(order, attempt));
    }
  }
}
