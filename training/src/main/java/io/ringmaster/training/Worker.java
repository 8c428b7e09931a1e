package io.ringmaster.training;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One process of a real training: it shares gradients with the others of its job, saves, and goes
 * on with any number of workers where an earlier attempt was stopped.
 */
public final class Worker {
  /** All samples are done. */
  public static final int DONE = 0;

  /** Another worker is gone, or a file cannot be written. */
  public static final int FAILED = 1;

  /** An option, a variable or the checkpoint is wrong. */
  public static final int BAD_INPUT = 2;

  /** Stopped and saved: what a shell tells of a process that SIGTERM ended. */
  public static final int STOPPED = 143;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> JVM =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xshare:auto",
          "-Xmx64m",
          "-XX:-UsePerfData");

  private final WorkerOptions options;
  private final Place place;
  private final Thread thread = Thread.currentThread();
  private final CountDownLatch isOver = new CountDownLatch(1);
  private volatile boolean isStopWanted;
  private volatile boolean hasBegun;

  private Worker(WorkerOptions options, Place place) {
    this.options = options;
    this.place = place;
  }

  public static void main(String[] arguments) {
    int status;
    try {
      status = run(WorkerOptions.parse(arguments), System.getenv());
    } catch (BadOption e) {
      System.err.println("worker: " + e.getMessage());
      status = BAD_INPUT;
    }
    System.exit(status);
  }

  /**
   * The command that starts a worker with this program's JVM and nothing but this module on its
   * class path.
   */
  public static List<String> command(String... options) {
    String home;
    try {
      home =
          Path.of(Worker.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(JVM);
    command.addAll(List.of("-cp", home, Worker.class.getName()));
    command.addAll(List.of(options));
    return command;
  }

  /**
   * Trains until all is done or SIGTERM comes. The caller ends the process with the returned
   * status, at once.
   *
   * @throws BadOption if a variable of the environment or the checkpoint is wrong
   */
  public static int run(WorkerOptions options, Map<String, String> environment) {
    Worker worker = new Worker(options, Place.of(environment));
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(worker::stop));
    } catch (IllegalStateException e) {
      // SIGTERM came before this.
      return STOPPED;
    }
    try {
      return worker.join();
    } catch (RingBroken e) {
      System.err.println("worker: " + e.getMessage());
      return worker.isStopWanted ? STOPPED : FAILED;
    } catch (IOException e) {
      // With its class: the message of a missing folder is but its name.
      System.err.println("worker: cannot read or write: " + e);
      return FAILED;
    } finally {
      worker.isOver.countDown();
    }
  }

  /** The JVM ends when this returns: not before the checkpoint is written. */
  private void stop() {
    isStopWanted = true;
    LockSupport.unpark(thread);
    if (hasBegun) {
      try {
        isOver.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private int join() throws IOException {
    Checkpoint checkpoint =
        place.rank() == 0 && place.checkpoints() != null
            ? new Checkpoint(place.checkpoints())
            : null;
    Progress progress = checkpoint == null ? Trainer.fresh(options) : checkpoint.load(options);
    try (Ring ring =
        Ring.join(
            place.rank(),
            place.size(),
            place.masterHost(),
            place.masterPort(),
            place.id(),
            PATIENCE)) {
      Trainer trainer = new Trainer(options, ring, place.rateScale(), progress);
      hasBegun = true;
      if (place.rank() != 0) {
        return train(trainer, null, null);
      }
      try (Reports reports = new Reports(options, place.size(), progress, place.progress())) {
        return train(trainer, checkpoint, reports);
      }
    }
  }

  /** Only rank 0 saves and reports. */
  private int train(Trainer trainer, @Nullable Checkpoint checkpoint, @Nullable Reports reports)
      throws IOException {
    if (reports != null) {
      reports.begin();
    }
    try {
      boolean isStopped = steps(trainer, checkpoint, reports);
      end(trainer, checkpoint, reports);
      return isStopped ? STOPPED : DONE;
    } catch (RingBroken e) {
      // The last whole step is as good as any.
      end(trainer, checkpoint, reports);
      throw e;
    }
  }

  private boolean steps(Trainer trainer, @Nullable Checkpoint checkpoint, @Nullable Reports reports)
      throws IOException {
    long savedNanos = System.nanoTime();
    boolean isStopped = false;
    boolean isFirst = true;
    while (!isStopped && !trainer.isDone()) {
      long startNanos = System.nanoTime();
      trainer.compute();
      await(startNanos + options.pace().toNanos());
      awaitTurn(isFirst);
      isFirst = false;
      long exchangeNanos = System.nanoTime();
      isStopped = trainer.exchange(isStopWanted);
      await(exchangeNanos + 2L * (place.size() - 1) * options.hop().toNanos());
      if (reports != null) {
        reports.step();
      }
      if (checkpoint != null
          && System.nanoTime() - savedNanos >= options.checkpointEvery().toNanos()) {
        checkpoint.save(options, trainer.progress());
        savedNanos = System.nanoTime();
      }
    }
    return isStopped && !trainer.isDone();
  }

  private void awaitTurn(boolean isFirst) {
    Turn turn = place.turn();
    if (turn != null) {
      await(System.nanoTime() + (long) (turn.waitSeconds(Instant.now(), isFirst) * 1e9));
    }
  }

  /** As a process waits for its device or its network. A stop cuts it short. */
  private void await(long untilNanos) {
    long left = untilNanos - System.nanoTime();
    while (left > 0 && !isStopWanted) {
      LockSupport.parkNanos(left);
      left = untilNanos - System.nanoTime();
    }
  }

  private void end(Trainer trainer, @Nullable Checkpoint checkpoint, @Nullable Reports reports)
      throws IOException {
    if (checkpoint != null) {
      checkpoint.save(options, trainer.progress());
    }
    if (reports != null) {
      reports.end();
      if (trainer.isDone()) {
        reports.accuracy(trainer.heldOutAccuracy());
      }
    }
  }
}
