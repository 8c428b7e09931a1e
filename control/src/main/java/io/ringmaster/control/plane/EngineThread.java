package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Commands;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.engine.Snapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries commands to an engine that may take its time, one after the other. What fails is logged
 * and dropped: the reconciler notices, and asks again.
 *
 * <p>A command that hangs cannot be taken back: nobody knows whether it happened. It is told as
 * what it is ({@link Vitals}), and after a while another thread goes on with what is not about the
 * same job. What is observed from then on counts as asked before the command that hangs.
 */
final class EngineThread implements Commands, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineThread.class);

  /** After so long others are not to wait any more. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** If more commands hang, all wait. */
  private static final int MOST_HANGING = 8;

  /** So long the end of a term waits for a command under way. */
  private static final long CLOSE_MILLIS = 10_000;

  /** To look at everything is about no job. */
  private static final long NO_JOB = 0;

  private final Engine engine;
  private final Inbox inbox;
  private final Vitals vitals;
  private final Runnable halt;
  private final Duration patience;
  private final LinkedBlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private final Thread watcher;

  /** Commands that hang, by job, each with what is to be done after it. Guarded by this. */
  private final Map<Long, Hanging> hanging = new HashMap<>();

  /** Who carries out what is next. Guarded by this. */
  private Thread hand;

  /** What it is at. Guarded by this. */
  private @Nullable Command current;

  private long currentSinceNanos;
  private volatile boolean closing;

  private record Hanging(Command command, Deque<Command> after) {}

  /**
   * Starts to carry out what is sent.
   *
   * @param halt ends the process, when this thread cannot go on
   */
  EngineThread(Engine engine, Inbox inbox, Vitals vitals, Runnable halt) {
    this(engine, inbox, vitals, halt, PATIENCE);
  }

  /** The same, for tests. */
  EngineThread(Engine engine, Inbox inbox, Vitals vitals, Runnable halt, Duration patience) {
    this.engine = engine;
    this.inbox = inbox;
    this.vitals = vitals;
    this.halt = halt;
    this.patience = patience;
    engine.listen(status -> inbox.post(new Message.FromEngine(new Report.Changed(status))));
    engine.listenForArrivals(() -> inbox.post(new Message.Look()));
    this.hand = Thread.ofPlatform().name("engine").daemon().unstarted(this::run);
    this.hand.start();
    this.watcher = Thread.ofPlatform().name("engine-watch").daemon().start(this::watch);
  }

  @Override
  public void send(Command command) {
    commands.add(command);
  }

  private void run() {
    try {
      boolean goesOn = true;
      while (!closing && goesOn) {
        Command command = commands.take();
        if (!closing && begin(command)) {
          tryOut(command);
          goesOn = end(command);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      Fatal.end("the engine's thread", e, halt);
    }
  }

  /** Whether a command may be carried out now; else it waits for one about the same job. */
  private synchronized boolean begin(Command command) {
    Hanging before = hanging.get(job(command));
    if (before != null) {
      if (command instanceof Command.Observe) {
        before.after.clear();
      }
      before.after.add(command);
      return false;
    }
    current = command;
    currentSinceNanos = System.nanoTime();
    vitals.asks(what(command));
    return true;
  }

  /** Whether this thread is still the one that goes on. */
  private synchronized boolean end(Command command) {
    Hanging hung = hanging.get(job(command));
    if (hung == null || hung.command.order() != command.order()) {
      current = null;
      vitals.returned();
      return true;
    }
    hanging.remove(job(command));
    vitals.hangsNoMore(what(command));
    commands.addAll(hung.after);
    return false;
  }

  /** Has another thread go on where one hangs. */
  private void watch() {
    try {
      while (!closing) {
        Thread.sleep(patience.dividedBy(2));
        passOn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void passOn() {
    Command command = current;
    if (command == null
        || System.nanoTime() - currentSinceNanos < patience.toNanos()
        || hanging.size() >= MOST_HANGING) {
      return;
    }
    LOG.warn("the engine hangs at {}; others go on without it", what(command));
    hanging.put(job(command), new Hanging(command, new ArrayDeque<>()));
    vitals.hangs();
    current = null;
    hand = Thread.ofPlatform().name("engine").daemon().unstarted(this::run);
    hand.start();
  }

  private static long job(Command command) {
    return switch (command) {
      case Command.Start(long _, var launch) -> launch.attempt().job();
      case Command.Stop(long _, var attempt, double _) -> attempt.job();
      case Command.Forget(long _, var attempt) -> attempt.job();
      case Command.Withdraw(long _, long job, var _) -> job;
      case Command.Observe _ -> NO_JOB;
    };
  }

  /** Up to which order all was carried out, of what was asked before an order. */
  private synchronized long doneBefore(long order) {
    return hanging.values().stream()
        .mapToLong(each -> each.command.order() - 1)
        .reduce(order, Math::min);
  }

  private void tryOut(Command command) {
    try {
      Report answer = carryOut(command);
      if (answer != null) {
        vitals.observed();
        inbox.post(new Message.FromEngine(answer));
      }
    } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
      vitals.failed("%s failed: %s".formatted(what(command), e));
      LOG.warn("the engine failed at {}; it will be asked again", what(command), e);
    }
  }

  /** For people. A launch in full may hold a user's secrets, and be as long as a body may be. */
  private static String what(Command command) {
    return switch (command) {
      case Command.Start(long _, var launch) -> "launch of " + launch.attempt();
      case Command.Stop(long _, var attempt, double _) -> "stop of " + attempt;
      case Command.Forget(long _, var attempt) -> "forgetting " + attempt;
      case Command.Withdraw(long _, long job, var _) -> "withdrawal of job " + job;
      case Command.Observe _ -> "listing its jobs";
    };
  }

  private @Nullable Report carryOut(Command command) throws IOException {
    switch (command) {
      case Command.Start(long order, var launch) -> engine.launch(order, launch);
      case Command.Stop(long _, var attempt, double grace) -> engine.stop(attempt, grace);
      case Command.Forget(long order, var attempt) -> engine.forget(order, attempt);
      case Command.Withdraw(long _, long _, var arrival) -> engine.withdraw(arrival);
      case Command.Observe(long order) -> {
        long done = doneBefore(order);
        Snapshot snapshot = engine.observe();
        return new Report.Observed(order, done, snapshot);
      }
    }
    return null;
  }

  /** Ends after the command under way, if any; attempts go on. */
  @Override
  public void close() {
    closing = true;
    watcher.interrupt();
    Thread last;
    boolean isHanging;
    synchronized (this) {
      last = hand;
      isHanging = !hanging.isEmpty();
    }
    // To wake it. An interrupt might hit the middle of a launch.
    commands.add(new Command.Observe(0));
    try {
      if (!last.join(Duration.ofMillis(CLOSE_MILLIS)) || isHanging) {
        // What is closed under a command could fail in any way.
        LOG.error("the engine hangs; it is left as it is");
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    engine.close();
  }
}
