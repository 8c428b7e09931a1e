package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.store.NotLeading;
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.List;
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
  private static final int MOST_MESSAGES_A_STEP = 2000;
  private static final double RETRY_SECONDS = 1;
  private static final double MOST_RETRY_SECONDS = 60;

  /** When nothing was broken for so long, what was is over. */
  private static final double CALM_SECONDS = 600;

  /** Wakes the thread to see that it is to end. An interrupt might hit the middle of a write. */
  private static final Message WAKE =
      new Message.FromEngine(new Report.Observed(0, new Snapshot(List.of(), List.of())));

  private final PlaneConfig config;
  private final Store store;
  private final Supplier<Engine> engines;
  private final PlaneListener listener;
  private final DoubleSupplier clock;
  private final LinkedBlockingQueue<Message> messages = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile @Nullable Engine engine;
  private volatile boolean leads;
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

  /**
   * Starts to lead or to stand by.
   *
   * @param engines opens the engine, each time that this server begins to lead
   * @param clock seconds since 1970
   */
  public PlaneThread(
      PlaneConfig config,
      Store store,
      Supplier<Engine> engines,
      PlaneListener listener,
      DoubleSupplier clock) {
    this.config = config;
    this.store = store;
    this.engines = engines;
    this.listener = listener;
    this.clock = clock;
    this.thread = Thread.ofPlatform().name("plane").start(this::run);
  }

  /** Whether this server leads: it alone decides. */
  public boolean leads() {
    return leads;
  }

  /** The engine, while this server leads. */
  public Optional<Engine> engine() {
    return Optional.ofNullable(engine);
  }

  @Override
  public String trouble() {
    Break last = lastBreak;
    return last == null || !last.isRecent(clock.getAsDouble()) ? "" : last.what();
  }

  @Override
  public void post(Message message) {
    messages.add(message);
    if (closing) {
      refuse(drained(), "the server is stopping");
    }
  }

  private void run() {
    while (!closing) {
      double retrySeconds = RETRY_SECONDS;
      try {
        OptionalLong term = store.tryLead();
        if (term.isPresent()) {
          lead(term.getAsLong());
        }
      } catch (NotLeading e) {
        LOG.warn("another server leads now: {}", e.getMessage());
      } catch (InterruptedException e) {
        break;
      } catch (BrokenInvariant e) {
        retrySeconds = broken(e);
        LOG.error("this must not be; taking up again from the store in {} s", retrySeconds, e);
      } catch (RuntimeException e) {
        LOG.error("taking up again from the store in {} s", retrySeconds, e);
      }
      leads = false;
      if (!closing) {
        standBy(retrySeconds);
      }
    }
    refuse(drained(), "the server is stopping");
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
  private void standBy(double seconds) {
    double until = clock.getAsDouble() + seconds;
    while (!closing) {
      double left = until - clock.getAsDouble();
      if (left <= 0) {
        return;
      }
      try {
        Message message = messages.poll((long) (left * 1e3) + 1, TimeUnit.MILLISECONDS);
        if (message != null) {
          refuse(List.of(message), "this server does not lead at the moment; try again");
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void lead(long term) throws InterruptedException {
    Engine opened = engines.get();
    List<Message> taken = new ArrayList<>();
    try (EngineThread hands = new EngineThread(opened, messages::add)) {
      Plane plane = new Plane(config, store, term, hands, listener, clock.getAsDouble());
      engine = opened;
      leads = true;
      while (!closing) {
        take(taken, plane.wakeSeconds());
        if (!closing) {
          plane.step(clock.getAsDouble(), taken);
          taken.clear();
        }
      }
    } finally {
      engine = null;
      refuse(taken, "the server could not store this; try again");
    }
  }

  private void take(List<Message> taken, double wakeSeconds) throws InterruptedException {
    double left = Math.clamp(wakeSeconds - clock.getAsDouble(), 0, 3600);
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
            case Message.Drain drain -> drain.reply();
            case Message.SetPolicy set -> set.reply();
            case Message.FromEngine _ -> null;
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
