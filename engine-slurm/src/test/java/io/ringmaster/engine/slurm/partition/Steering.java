package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.plane.ClockMark;
import io.ringmaster.control.plane.Message;
import io.ringmaster.control.plane.Plane;
import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.PlaneListener;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.control.store.JobQuery;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * A server without its threads: a real plane, a real store and the engine on a real Slurm. It goes
 * on only while a test waits for something, and can be killed between any two commands.
 */
final class Steering implements AutoCloseable {
  private static final double OBSERVE_SECONDS = 1;
  private static final double PATIENCE_SECONDS = 5;
  private static final double LIMIT_SECONDS = 120;

  private final SlurmTestbed testbed;
  private final Path folder;
  private final Map<String, String> settings;
  private final String policy;
  private final ConcurrentLinkedQueue<Message> inbox = new ConcurrentLinkedQueue<>();
  private final Deque<Command> commands = new ArrayDeque<>();
  private final List<String> failures = new ArrayList<>();
  private Store store;
  private Engine engine;
  private Plane plane;

  Steering(SlurmTestbed testbed, String policy, Map<String, String> settings) throws IOException {
    this.testbed = testbed;
    this.folder = Files.createTempDirectory(testbed.folder(), "server");
    this.settings = settings;
    this.policy = policy;
    this.store = Store.open("sqlite:" + folder.resolve("store.db"));
    this.engine = openEngine();
    this.plane = openPlane();
  }

  private Engine openEngine() throws IOException {
    Engine opened =
        SlurmEngine.KIND.open(
            new EngineSetup(folder.resolve("engine"), Partition.settings(testbed, settings), null));
    opened.listen(status -> inbox.add(new Message.FromEngine(new Report.Changed(status))));
    return opened;
  }

  private Plane openPlane() {
    PlaneConfig config =
        new PlaneConfig(
            Cluster.uniform(1, 1, Network.None.USUAL, 0),
            false,
            ModelTable.standard(),
            policy,
            Map.of(),
            Map.of(),
            OBSERVE_SECONDS,
            PATIENCE_SECONDS,
            20,
            UserLimits.usual(),
            Policies::named);
    return new Plane(
        config,
        store,
        store.tryLead().orElseThrow(),
        commands::add,
        new PlaneListener() {},
        new ClockMark(now(), "test", now()));
  }

  static double now() {
    return System.currentTimeMillis() * 1e-3;
  }

  /** As kill -9: what was asked and not carried out is lost, and so is all that was in memory. */
  void kill() throws IOException {
    kill(() -> {});
  }

  /** The same, and something happens while it is away. */
  void kill(Runnable meanwhile) throws IOException {
    engine.close();
    store.close();
    inbox.clear();
    commands.clear();
    meanwhile.run();
    store = Store.open("sqlite:" + folder.resolve("store.db"));
    engine = openEngine();
    plane = openPlane();
  }

  Engine engine() {
    return engine;
  }

  /** One step, and what follows from it up to so many commands. */
  void step(int mostCommands) {
    List<Message> messages = new ArrayList<>();
    for (Message next = inbox.poll(); next != null; next = inbox.poll()) {
      messages.add(next);
    }
    plane.step(now(), messages);
    for (int i = 0; i < mostCommands && !commands.isEmpty(); i++) {
      Command command = commands.remove();
      try {
        carryOut(command);
      } catch (IOException e) {
        failures.add(e.getMessage());
      }
    }
  }

  /** A look at everything, and what followed from it. */
  record Pass(double lookMillis, double decideMillis, double releaseMillis, int released) {
    double millis() {
      return lookMillis + decideMillis + releaseMillis;
    }
  }

  /** One look and what follows from it, if it is time for one. */
  Optional<Pass> pass() throws IOException {
    step(0);
    Optional<Command> look = commands.stream().filter(c -> c instanceof Command.Observe).findAny();
    if (look.isEmpty()) {
      step(Integer.MAX_VALUE);
      return Optional.empty();
    }
    commands.remove(look.get());
    step(Integer.MAX_VALUE);
    double start = millis();
    carryOut(look.get());
    double looked = millis();
    step(0);
    double decided = millis();
    int released = (int) commands.stream().filter(c -> c instanceof Command.Start).count();
    step(Integer.MAX_VALUE);
    return Optional.of(new Pass(looked - start, decided - looked, millis() - decided, released));
  }

  private static double millis() {
    return System.nanoTime() * 1e-6;
  }

  private void carryOut(Command command) throws IOException {
    switch (command) {
      case Command.Start(long order, var launch) -> engine.launch(order, launch);
      case Command.Stop(long _, var attempt, double grace) -> engine.stop(attempt, grace);
      case Command.Forget(long order, var attempt) -> engine.forget(order, attempt);
      case Command.Withdraw(long _, long _, var arrival) -> engine.withdraw(arrival);
      case Command.Observe(long order) ->
          inbox.add(new Message.FromEngine(new Report.Observed(order, engine.observe())));
    }
  }

  /** Goes on until something holds. Returns how long it took, in seconds. */
  double until(String what, BooleanSupplier condition) {
    double from = now();
    while (!condition.getAsBoolean()) {
      if (now() > from + LIMIT_SECONDS) {
        throw new AssertionError(
            "still waiting for %s\n%s\n%s\n%s"
                .formatted(
                    what,
                    jobs().stream().map(Steering::text).toList(),
                    failures,
                    testbed.run("squeue", "-a")
                        + testbed.run("scontrol", "-d", "show", "node", "-o")));
      }
      step(Integer.MAX_VALUE);
      Partition.pause(50);
    }
    return now() - from;
  }

  private static String text(Job job) {
    return "%d %s %s: %s".formatted(job.id(), job.arrival(), job.state().text(), job.reason());
  }

  List<Job> jobs() {
    return store.jobs(new JobQuery("", Set.of(), Long.MAX_VALUE, 10_000));
  }

  /** The newest job of a number in Slurm. */
  Job jobOf(String slurmId) {
    return jobs().stream()
        .filter(job -> PeoplesJobs.address(job.arrival()).equals(slurmId))
        .max(Comparator.comparingLong(Job::id))
        .orElseThrow(() -> new AssertionError("no job of " + slurmId));
  }

  boolean is(String slurmId, String state) {
    return jobs().stream()
        .filter(job -> PeoplesJobs.address(job.arrival()).equals(slurmId))
        .max(Comparator.comparingLong(Job::id))
        .map(job -> job.state().text().equals(state))
        .orElse(false);
  }

  boolean areAllOver() {
    return jobs().stream().allMatch(job -> job.state().isEnd());
  }

  long submit(Map<String, Object> spec) {
    CompletableFuture<Job> reply = new CompletableFuture<>();
    inbox.add(new Message.Submit("ada", Role.USER, "", JobSpecs.of(spec), reply));
    until("a job is accepted", reply::isDone);
    return reply.join().id();
  }

  void cancel(long job) {
    inbox.add(new Message.Cancel(job, "ada", false, new CompletableFuture<>()));
  }

  List<String> failures() {
    return failures;
  }

  @Override
  public void close() {
    engine.close();
    store.close();
  }
}
