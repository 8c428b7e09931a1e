package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Commands;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.engine.Snapshot;
import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries commands to an engine that may take its time, one after the other. What fails is logged
 * and dropped: the reconciler notices, and asks again.
 */
final class EngineThread implements Commands, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineThread.class);

  private final Engine engine;
  private final Inbox inbox;
  private final LinkedBlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closing;

  EngineThread(Engine engine, Inbox inbox) {
    this.engine = engine;
    this.inbox = inbox;
    engine.listen(status -> inbox.post(new Message.FromEngine(new Report.Changed(status))));
    this.thread = Thread.ofPlatform().name("engine").daemon().start(this::run);
  }

  @Override
  public void send(Command command) {
    commands.add(command);
  }

  private void run() {
    while (!closing) {
      try {
        Command command = commands.take();
        if (!closing) {
          tryOut(command);
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void tryOut(Command command) {
    try {
      Report answer = carryOut(command);
      if (answer != null) {
        inbox.post(new Message.FromEngine(answer));
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("the engine failed at {}; it will be asked again", command, e);
    }
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
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    engine.close();
  }
}
