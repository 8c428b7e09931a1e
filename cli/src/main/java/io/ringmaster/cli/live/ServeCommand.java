package io.ringmaster.cli.live;

import io.ringmaster.cli.advise.LiveKubernetes;
import io.ringmaster.cli.advise.LiveSlurm;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.model.BadInput;
import io.ringmaster.policy.registry.Policies;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ringmaster serve}: the live plane. */
@Command(
    name = "serve",
    description =
        "Runs a scheduler that takes jobs and runs them, on this machine or where an engine does.",
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private static final long LOOK_MILLIS = 50;

  /** As the JVM's own. */
  private static final int OUT_OF_MEMORY = 3;

  /** A server that does not lead after so long is said to stand by. */
  private static final double STANDS_BY_SECONDS = 3;

  @Option(names = "--config", paramLabel = "FILE", description = "settings of the server (YAML)")
  @Nullable Path file;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "where (default: " + ServeConfig.LISTEN + ")")
  @Nullable String listen;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "where everything is kept (default: " + ServeConfig.DATA + ")")
  @Nullable Path data;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "until another is chosen (default: " + ServeConfig.POLICY + ")")
  @Nullable String policy;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      description = "where jobs run (default: " + ServeConfig.LOCAL + ", this machine)")
  @Nullable String engine;

  @Option(
      names = "--slots",
      paramLabel = "N",
      description =
          "GPUs of this machine, whether or not it has any (default: those it has, or one for each"
              + " processor)")
  @Nullable Integer slots;

  @Option(
      names = "--read-only",
      description =
          "with --engine slurm or kubernetes: only show the queue that is there, and what is to be"
              + " expected of it")
  boolean readOnly;

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    if (readOnly) {
      return watch();
    }
    ServeConfig config =
        ServeConfig.of(file, new ServeConfig.Given(listen, data, policy, slots, engine));
    if (file != null && config.hasPassword()) {
      TokenFile.warnIfReadable(file, "the store's password");
    }
    Thread.setDefaultUncaughtExceptionHandler(ServeCommand::died);
    CompletableFuture<Integer> stop = Signals.stop();
    long running;
    int status;
    try (Serving serving = new Serving(config)) {
      status = await(stop, serving);
      running = status != ExitStatus.FAILED && serving.leads() ? serving.running() : 0;
    }
    System.err.println(
        running == 0
            ? "The server has stopped."
            : "The server has stopped; %s. The next one on this folder takes up from there."
                .formatted(JobText.count(running, "job goes on", "jobs go on")));
    return status;
  }

  private int watch() throws InterruptedException, ExecutionException {
    if (!LiveSlurm.NAME.equals(engine) && !LiveKubernetes.NAME.equals(engine)) {
      throw new BadInput(
          "--read-only looks at the queue of another scheduler: add --engine slurm or --engine"
              + " kubernetes");
    }
    if (file != null || data != null || slots != null) {
      throw new BadInput(
          "--read-only keeps nothing and runs no job; leave out --config, --data and --slots");
    }
    Optional<String> asked = Optional.ofNullable(policy).map(name -> Policies.named(name).name());
    CompletableFuture<Integer> stop = Signals.stop();
    Watched watched = LiveSlurm.NAME.equals(engine) ? new WatchedSlurm() : new WatchedKubernetes();
    try (Watching watching = new Watching(ServeConfig.address(listen), watched, asked)) {
      say(
          "%s: %s and changes nothing; Ctrl-C stops the server"
              .formatted(watching.url(), watched.does()));
      return stop.get();
    }
  }

  /** The launcher has the JVM end when memory runs out; this is for one started otherwise. */
  private static void died(Thread thread, Throwable cause) {
    if (cause instanceof OutOfMemoryError) {
      Runtime.getRuntime().halt(OUT_OF_MEMORY);
    }
    System.err.printf("ringmaster: thread %s died%n", thread.getName());
    cause.printStackTrace();
  }

  /** Tells whether it leads, each time that this changes, until it is to stop. */
  private static int await(CompletableFuture<Integer> stop, Serving serving)
      throws InterruptedException, ExecutionException {
    long began = System.nanoTime();
    String told = "not yet";
    while (true) {
      String standsBy = serving.standsByBecause();
      boolean isNews = !standsBy.equals(told);
      if (isNews && standsBy.isEmpty()) {
        told = standsBy;
        say(serving.summary() + "; Ctrl-C stops the server; jobs go on");
      } else if (isNews && (System.nanoTime() - began) / 1e9 > STANDS_BY_SECONDS) {
        told = standsBy;
        say(serving.url() + "; stands by: " + standsBy + "; takes over when that ends");
      }
      String lost = serving.lost();
      if (!lost.isEmpty()) {
        System.err.printf(
            "ringmaster: %s: nothing can be stored any more, so the server ends. Jobs go on. Put it"
                + " back, or restore a backup.%n",
            lost);
        return ExitStatus.FAILED;
      }
      try {
        return stop.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException _) {
        // Not yet.
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
