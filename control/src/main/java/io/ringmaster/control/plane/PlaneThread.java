package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.store.NotLeading;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.StoreUnavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives a plane in real time, as long as this server leads; stands by otherwise. When a step
 * fails, the plane is dropped, and a new one takes up from the store. Where that leads to the same
 * {@link BrokenInvariant} again it waits longer each time. Jobs go on meanwhile.
 */
public final class PlaneThread implements Inbox, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlaneThread.class);
  private static final String OTHER_LEADS = "another server leads";
  private static final int MOST_MESSAGES_A_STEP = 2000;
  private static final double RETRY_SECONDS = 1;
  private static final double MOST_RETRY_SECONDS = 60;

  /** When nothing was broken for so long, what was is over. */
  private static final double CALM_SECONDS = 600;

  /** It steps at least so often, so that the age of its last step tells whether it lives. */
  private static final double IDLE_SECONDS = 5;

  /** Wakes the thread to see that it is to end. An interrupt might hit the middle of a write. */
  private static final Message WAKE =
      new Message.FromEngine(new Report.Observed(0, new Snapshot(List.of(), List.of())));

  private final PlaneConfig config;
  private final Store store;
  private final Supplier<Engine> engines;
  private final PlaneListener listener;
  private final DoubleSupplier clock;
  private final LinkedBlockingQueue<Message> messages = new LinkedBlockingQueue<>();

  /** What the plane was given and is not known to have answered. */
  private final List<Message> taken = new ArrayList<>();

  private final Vitals vitals = new Vitals(System::nanoTime);
  private final Runnable halt;
  private final Thread thread;
  private volatile @Nullable Engine engine;
  private volatile @Nullable Break lastBreak;
  private volatile boolean closing;

  /**
   * What must hold did not.
   *
   * @param retrySeconds from then until the store is taken up again
   */
  private record Break(double seconds, String what, double retrySeconds) {
    boolean isRecent(double nowSeconds) {
      return nowSeconds < seconds + CALM_SECONDS;
    }
  }

  /** The engine could not be opened. */
  private static final class NoEngine extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoEngine(RuntimeException cause) {
      super("the engine cannot be opened: " + words(cause), cause);
    }

    private static String words(Throwable cause) {
      Throwable told =
          cause instanceof UncheckedIOException unchecked
              ? Objects.requireNonNullElse(unchecked.getCause(), cause)
              : cause;
      return told instanceof IOException && told.getMessage() != null
          ? told.getMessage()
          : told.toString();
    }
  }

  /**
   * Starts to lead or to stand by.
   *
   * @param engines opens the engine, each time that this server begins to lead
   * @param clock seconds since 1970, which only goes forward: {@link MonotonicClock}
   */
  public PlaneThread(
      PlaneConfig config,
      Store store,
      Supplier<Engine> engines,
      PlaneListener listener,
      DoubleSupplier clock) {
    this(config, store, engines, listener, clock, Fatal::halt);
  }

  /**
   * The same, for tests.
   *
   * @param halt ends the process, when a thread cannot go on that all depends on
   */
  PlaneThread(
      PlaneConfig config,
      Store store,
      Supplier<Engine> engines,
      PlaneListener listener,
      DoubleSupplier clock,
      Runnable halt) {
    this.config = config;
    this.store = store;
    this.engines = engines;
    this.listener = listener;
    this.clock = clock;
    this.halt = halt;
    this.thread = Thread.ofPlatform().name("plane").start(this::run);
  }

  /** Whether this server leads: it alone decides. */
  public boolean leads() {
    return vitals.leads();
  }

  /** The engine, while this server leads. */
  public Optional<Engine> engine() {
    return Optional.ofNullable(engine);
  }

  @Override
  public PlaneHealth health() {
    Break last = lastBreak;
    PlaneHealth told =
        vitals.health(last == null || !last.isRecent(clock.getAsDouble()) ? "" : last.what());
    return thread.isAlive() ? told : told.ended();
  }

  @Override
  public void post(Message message) {
    messages.add(message);
    if (closing) {
      refuse(drained(), "the server is stopping");
    }
  }

  private void run() {
    try {
      while (!closing) {
        double retrySeconds = leadOrTell();
        refuse(taken, "the server could not store this; try again");
        taken.clear();
        if (!closing) {
          standBy(retrySeconds);
        }
      }
      vitals.standsBy("the server is stopping");
      refuse(drained(), "the server is stopping");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      vitals.standsBy("the server ends: " + e);
      Fatal.end("the plane's thread", e, halt);
    }
  }

  /** Leads for as long as it can. Returns after how long it is to be tried again. */
  private double leadOrTell() throws InterruptedException {
    try {
      OptionalLong term = store.tryLead();
      vitals.stored();
      if (term.isPresent()) {
        lead(term.getAsLong());
        return RETRY_SECONDS;
      }
      vitals.standsBy(OTHER_LEADS);
    } catch (NotLeading e) {
      LOG.warn("another server leads now: {}", e.getMessage());
      vitals.standsBy(OTHER_LEADS);
    } catch (StoreUnavailable e) {
      vitals.standsBy("the store does not answer: " + e.getMessage());
    } catch (NoEngine e) {
      LOG.debug("the engine cannot be opened", e);
      vitals.standsBy(String.valueOf(e.getMessage()));
    } catch (BrokenInvariant e) {
      double retrySeconds = broken(e);
      LOG.error("this must not be; taking up again from the store in {} s", retrySeconds, e);
      vitals.standsBy("what must hold does not: " + e.getMessage());
      return retrySeconds;
    } catch (RuntimeException e) {
      LOG.error("taking up again from the store in {} s", RETRY_SECONDS, e);
      vitals.standsBy("the plane failed: " + e);
    }
    return RETRY_SECONDS;
  }

  /** How long to wait: what is broken again soon after would otherwise be so all the time. */
  private double broken(BrokenInvariant e) {
    listener.broken(e.invariant());
    double now = clock.getAsDouble();
    Break before = lastBreak;
    double retrySeconds =
        before == null || !before.isRecent(now)
            ? RETRY_SECONDS
            : Math.min(MOST_RETRY_SECONDS, 2 * before.retrySeconds());
    lastBreak = new Break(now, String.valueOf(e.getMessage()), retrySeconds);
    return retrySeconds;
  }

  /** Refuses what comes, for a moment. */
  private void standBy(double seconds) throws InterruptedException {
    double until = clock.getAsDouble() + seconds;
    while (!closing) {
      double left = until - clock.getAsDouble();
      if (left <= 0) {
        return;
      }
      Message message = messages.poll((long) (left * 1e3) + 1, TimeUnit.MILLISECONDS);
      if (message != null) {
        refuse(List.of(message), "this server does not lead at the moment; try again");
      }
    }
  }

  private void lead(long term) throws InterruptedException {
    Engine opened = open();
    try (EngineThread hands = new EngineThread(opened, messages::add, vitals, halt)) {
      Plane plane =
          new Plane(config, store, term, hands, listener, ClockMark.now(clock.getAsDouble()));
      vitals.stored();
      if (plane.setForwardSeconds() != 0) {
        LOG.warn(
            "the clock was set by {} s since a server last led here; limits and waits go on as if"
                + " it had not been",
            Math.round(plane.setForwardSeconds()));
      }
      engine = opened;
      vitals.led();
      while (!closing) {
        take(plane.wakeSeconds());
        if (!closing) {
          if (plane.step(clock.getAsDouble(), taken)) {
            vitals.stored();
          }
          vitals.stepped();
          taken.clear();
        }
      }
    } finally {
      engine = null;
    }
  }

  private Engine open() {
    vitals.asks("to be opened");
    try {
      return engines.get();
    } catch (RuntimeException e) {
      throw new NoEngine(e);
    } finally {
      vitals.returned();
    }
  }

  private void take(double wakeSeconds) throws InterruptedException {
    double left = Math.clamp(wakeSeconds - clock.getAsDouble(), 0, IDLE_SECONDS);
    Message first = messages.poll((long) Math.ceil(left * 1e6), TimeUnit.MICROSECONDS);
    if (first != null) {
      taken.add(first);
      messages.drainTo(taken, MOST_MESSAGES_A_STEP - 1);
    }
  }

  private List<Message> drained() {
    List<Message> left = new ArrayList<>();
    messages.drainTo(left);
    return left;
  }

  /** Those that were answered already stay answered. */
  private static void refuse(List<Message> messages, String why) {
    for (Message message : messages) {
      CompletableFuture<?> reply =
          switch (message) {
            case Message.Submit submit -> submit.reply();
            case Message.Cancel cancel -> cancel.reply();
            case Message.Prioritize prioritize -> prioritize.reply();
            case Message.Drain drain -> drain.reply();
            case Message.SetPolicy set -> set.reply();
            case Message.FromEngine _, Message.Look _ -> null;
          };
      if (reply != null) {
        reply.completeExceptionally(new Refused(Refused.Kind.NOT_LEADING, why));
      }
    }
  }

  /** Stops deciding. Jobs go on. */
  @Override
  public void close() {
    closing = true;
    messages.add(WAKE);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
