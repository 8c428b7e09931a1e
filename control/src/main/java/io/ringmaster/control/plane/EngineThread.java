package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Commands;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.engine.Snapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries commands to an engine that may take its time, one after the other. What fails is logged
 * and dropped: the reconciler notices, and asks again. A command that hangs cannot be taken back:
 * nobody knows whether it happened. It is told as what it is: {@link Vitals}.
 */
final class EngineThread implements Commands, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineThread.class);

  /** So long the end of a term waits for a command under way. */
  private static final long CLOSE_MILLIS = 10_000;

  private final Engine engine;
  private final Inbox inbox;
  private final Vitals vitals;
  private final Runnable halt;
  private final LinkedBlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closing;

  /**
   * Starts to carry out what is sent.
   *
   * @param halt ends the process, when this thread cannot go on
   */
  EngineThread(Engine engine, Inbox inbox, Vitals vitals, Runnable halt) {
    this.engine = engine;
    this.inbox = inbox;
    this.vitals = vitals;
    this.halt = halt;
    engine.listen(status -> inbox.post(new Message.FromEngine(new Report.Changed(status))));
    this.thread = Thread.ofPlatform().name("engine").daemon().start(this::run);
  }

  @Override
  public void send(Command command) {
    commands.add(command);
  }

  private void run() {
    try {
      while (!closing) {
        Command command = commands.take();
        if (!closing) {
          tryOut(command);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      Fatal.end("the engine's thread", e, halt);
    }
  }

  private void tryOut(Command command) {
    vitals.asks(what(command));
    try {
      Report answer = carryOut(command);
      if (answer != null) {
        vitals.observed();
        inbox.post(new Message.FromEngine(answer));
      }
    } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
      vitals.failed("%s failed: %s".formatted(what(command), e));
      LOG.warn("the engine failed at {}; it will be asked again", what(command), e);
    } finally {
      vitals.returned();
    }
  }

  /** For people. A launch in full may hold a user's secrets, and be as long as a body may be. */
  private static String what(Command command) {
    return switch (command) {
      case Command.Start(long _, var launch) -> "launch of " + launch.attempt();
      case Command.Stop(long _, var attempt, double _) -> "stop of " + attempt;
      case Command.Forget(long _, var attempt) -> "forgetting " + attempt;
      case Command.Observe _ -> "listing its jobs";
    };
  }

  private @Nullable Report carryOut(Command command) throws IOException {
    switch (command) {
      case Command.Start(long order, var launch) -> engine.launch(order, launch);
      case Command.Stop(long _, var attempt, double grace) -> engine.stop(attempt, grace);
      case Command.Forget(long order, var attempt) -> engine.forget(order, attempt);
      case Command.Observe(long order) -> {
        Snapshot snapshot = engine.observe();
        return new Report.Observed(order, snapshot);
      }
    }
    return null;
  }

  /** Ends after the command under way, if any; attempts go on. */
  @Override
  public void close() {
    closing = true;
    // To wake it. An interrupt might hit the middle of a launch.
    commands.add(new Command.Observe(0));
    try {
      if (!thread.join(Duration.ofMillis(CLOSE_MILLIS))) {
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
