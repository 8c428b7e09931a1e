package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.store.MemoryDatabase;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.StoreUnavailable;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.registry.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server says of itself when one of its parts fails or hangs. */
@Timeout(60)
class PlaneThreadTest {
  private static final AttemptId ATTEMPT = new AttemptId(17, 2);
  private static final JobSpec SPEC = JobSpecs.of(Map.of("command", List.of("train"), "gpus", 1));

  /** Answers, but for what a test says. */
  private static class PlainEngine implements Engine {
    @Override
    public void listen(Consumer<Status> changes) {}

    @Override
    public Snapshot observe() throws IOException {
      return new Snapshot(List.of(new Node("s0001", 4, true)), List.of());
    }

    @Override
    public void launch(long order, Launch launch) throws IOException {}

    @Override
    public void stop(AttemptId attempt, double graceSeconds) throws IOException {}

    @Override
    public void forget(long order, AttemptId attempt) {}

    @Override
    public InputStream log(AttemptId attempt, int rank, Stream stream, long fromByte)
        throws IOException {
      throw new NoSuchFileException(attempt.text());
    }

    @Override
    public void close() {}
  }

  private final MemoryDatabase database = new MemoryDatabase();
  private final Store store = database.open();

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  private static PlaneConfig config(Policy policy) {
    PolicySpec spec =
        new PolicySpec(
            "odd", "Odd.", "a test", List.of(), PlacementRule::ownSearch, (_, _) -> policy);
    return new PlaneConfig(
        Cluster.uniform(1, 4, Network.None.USUAL, 0),
        true,
        ModelTable.standard(),
        "odd",
        Map.of(),
        Map.of(),
        0.05,
        5,
        3,
        UserLimits.usual(),
        name -> name.equals("odd") ? spec : Policies.named(name));
  }

  private static double nowSeconds() {
    return System.nanoTime() * 1e-9;
  }

  private PlaneThread thread(Supplier<Engine> engines, Policy policy, Runnable halt) {
    return new PlaneThread(
        config(policy), store, engines, new PlaneListener() {}, PlaneThreadTest::nowSeconds, halt);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(5);
    }
  }

  private static void submit(PlaneThread plane) {
    plane.post(new Message.Submit("ada", Role.USER, "", SPEC, new CompletableFuture<>()));
  }

  private static final Policy IDLE = (_, _) -> {};

  @Test
  void aServerThatLeadsTellsWhenItsPartsAnswered() throws InterruptedException {
    try (PlaneThread plane = thread(PlainEngine::new, IDLE, () -> {})) {
      await(() -> plane.health().leads());
      await(() -> !Double.isNaN(plane.health().sinceEngineSeconds()));
      await(() -> !Double.isNaN(plane.health().sinceStepSeconds()));
      PlaneHealth health = plane.health();
      assertThat(health.standsByBecause()).isEmpty();
      assertThat(health.trouble()).isEmpty();
      // Nothing is asked of it, and still all parts are touched again and again: ages fall.
      falls(() -> plane.health().sinceStepSeconds());
      falls(() -> plane.health().sinceEngineSeconds());
      falls(() -> plane.health().sinceStoreSeconds());
    }
  }

  private static void falls(DoubleSupplier age) throws InterruptedException {
    double[] last = {age.getAsDouble()};
    await(() -> {
      double before = last[0];
      last[0] = age.getAsDouble();
      return last[0] < before;
    });
  }

  @Test
  void whyItStandsByIsOneLine() throws InterruptedException {
    AtomicReference<String> broken = new AtomicReference<>("/data/engine is no folder");
    Supplier<Engine> engines =
        () -> {
          if (!broken.get().isEmpty()) {
            throw new UncheckedIOException(new IOException(broken.get()));
          }
          return new PlainEngine();
        };
    try (PlaneThread plane = thread(engines, IDLE, () -> {})) {
      await(() ->
          plane
              .health()
              .standsByBecause()
              .equals("the engine cannot be opened: /data/engine is no folder"));
      assertThat(plane.health().leads()).isFalse();
      broken.set("");
      await(() -> plane.health().leads());
      assertThat(plane.health().standsByBecause()).isEmpty();

      try (Store other = database.open();
          PlaneThread second =
              new PlaneThread(
                  config(IDLE),
                  other,
                  PlainEngine::new,
                  new PlaneListener() {},
                  PlaneThreadTest::nowSeconds)) {
        await(() -> second.health().standsByBecause().equals("another server leads"));
      }
    }
  }

  @Test
  void aStoreThatFailsIsTheReasonToStandBy() throws InterruptedException {
    try (PlaneThread plane = thread(PlainEngine::new, IDLE, () -> {})) {
      await(() -> plane.health().leads());
      store.onWrite(() -> {
        throw new StoreUnavailable("the disk is full", new IOException("no space left"));
      });
      await(() ->
          plane.health().standsByBecause().equals("the store does not answer: the disk is full"));
      store.onWrite(() -> {});
      await(() -> plane.health().leads());
    }
  }

  @Test
  void whatItCannotGoOnAfterEndsTheProcess() throws InterruptedException {
    CountDownLatch halted = new CountDownLatch(1);
    Policy policy =
        (view, _) -> {
          if (!view.arrived().isEmpty()) {
            throw new OutOfMemoryError("as if");
          }
        };
    try (PlaneThread plane = thread(PlainEngine::new, policy, halted::countDown)) {
      await(() -> plane.health().leads());
      submit(plane);
      halted.await();
      assertThat(plane.health().leads()).isFalse();
      assertThat(plane.health().standsByBecause()).contains("OutOfMemoryError");
    }
  }

  @Test
  void aPolicyThatRecursesForEverIsAPolicyThatFails() throws InterruptedException {
    CountDownLatch halted = new CountDownLatch(1);
    Policy policy =
        new Policy() {
          @Override
          public void decide(View view, Decisions decisions) {
            if (!view.arrived().isEmpty()) {
              decide(view, decisions);
            }
          }
        };
    try (PlaneThread plane = thread(PlainEngine::new, policy, halted::countDown)) {
      await(() -> plane.health().leads());
      submit(plane);
      await(() -> !store.settings().getOrDefault(ChosenPolicy.ERROR, "").isEmpty());
      assertThat(store.settings().get(ChosenPolicy.ERROR)).contains("StackOverflowError");
      assertThat(plane.health().leads()).isTrue();
      assertThat(halted.getCount()).isEqualTo(1);
    }
  }

  @Test
  void anEngineThatHangsIsToldByWhatItWasAsked() throws InterruptedException {
    AtomicLong nanos = new AtomicLong();
    Vitals vitals = new Vitals(nanos::get);
    vitals.led();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Engine engine =
        new PlainEngine() {
          @Override
          public void launch(long order, Launch launch) {
            asked.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    BlockingQueue<Message> told = new LinkedBlockingQueue<>();
    try (EngineThread hands = new EngineThread(engine, told::add, vitals, () -> {})) {
      hands.send(new Command.Start(1, launch(ATTEMPT)));
      hands.send(new Command.Observe(2));
      asked.await();
      assertThat(vitals.health("").trouble()).isEmpty();
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(40));
      assertThat(vitals.health("").trouble())
          .isEqualTo("the engine has not answered for 40 s: launch of 17.2");
      goOn.countDown();
      told.take();
      await(() -> vitals.health("").trouble().isEmpty());
      assertThat(vitals.health("").sinceEngineSeconds()).isZero();
    }
  }

  @Test
  void aCommandThatHangsStallsNoOtherJob() throws InterruptedException {
    Vitals vitals = new Vitals(System::nanoTime);
    vitals.led();
    CountDownLatch goOn = new CountDownLatch(1);
    BlockingQueue<String> done = new LinkedBlockingQueue<>();
    Engine engine =
        new PlainEngine() {
          @Override
          public void launch(long order, Launch launch) {
            try {
              if (launch.attempt().equals(ATTEMPT)) {
                goOn.await();
              }
              done.add("launched " + launch.attempt());
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }

          @Override
          public void stop(AttemptId attempt, double graceSeconds) {
            done.add("stopped " + attempt);
          }
        };
    AttemptId other = new AttemptId(18, 1);
    BlockingQueue<Message> told = new LinkedBlockingQueue<>();
    try (EngineThread hands =
        new EngineThread(engine, told::add, vitals, () -> {}, Duration.ofMillis(10))) {
      hands.send(new Command.Start(7, launch(ATTEMPT)));
      hands.send(new Command.Stop(8, ATTEMPT, 0));
      hands.send(new Command.Start(9, launch(other)));
      hands.send(new Command.Observe(10));
      assertThat(done.take()).isEqualTo("launched " + other);
      assertThat(told.take())
          .as("what is missing now may still be on its way")
          .isInstanceOfSatisfying(
              Message.FromEngine.class,
              report ->
                  assertThat(report.report())
                      .isInstanceOfSatisfying(
                          Report.Observed.class,
                          seen -> assertThat(seen.doneOrder()).isEqualTo(6)));
      assertThat(done).isEmpty();
      goOn.countDown();
      assertThat(done.take()).isEqualTo("launched " + ATTEMPT);
      assertThat(done.take()).as("after it, as it was asked").isEqualTo("stopped " + ATTEMPT);
      hands.send(new Command.Observe(11));
      assertThat(told.take()).isInstanceOf(Message.FromEngine.class);
    }
  }

  private static Launch launch(AttemptId attempt) {
    return new Launch(attempt, "ada", SPEC, Allocation.of("s0001:1"), 1);
  }

  @Test
  void aCommandThatFailsDoesNotKeepOthersFromBeingSent() throws InterruptedException {
    AtomicLong nanos = new AtomicLong();
    Vitals vitals = new Vitals(nanos::get);
    vitals.led();
    Engine engine =
        new PlainEngine() {
          @Override
          public void launch(long order, Launch launch) {
            throw new StackOverflowError();
          }

          @Override
          public void stop(AttemptId attempt, double graceSeconds) throws IOException {
            throw new IOException("no such thing");
          }
        };
    BlockingQueue<Message> told = new LinkedBlockingQueue<>();
    try (EngineThread hands = new EngineThread(engine, told::add, vitals, () -> {})) {
      hands.send(new Command.Start(1, launch(ATTEMPT)));
      hands.send(new Command.Stop(2, ATTEMPT, 0));
      hands.send(new Command.Observe(3));
      assertThat(told.take()).isInstanceOf(Message.FromEngine.class);
    }
  }
}
