package io.ringmaster.control.plane;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seconds since 1970 that nobody can set: the wall clock as it was at the start, and from there on
 * by a clock that only goes forward. Time limits, waits and patience go by it. That the wall clock
 * was set is logged, and changes nothing until the next start: {@link ClockMark}.
 */
public final class MonotonicClock implements DoubleSupplier {
  private static final Logger LOG = LoggerFactory.getLogger(MonotonicClock.class);

  /** A difference that changes by less is no jump. */
  private static final long JUMP_MILLIS = 5_000;

  private final LongSupplier wallMillis;
  private final LongSupplier nanos;
  private final long startMillis;
  private final long startNanos;
  private final AtomicLong toldMillis = new AtomicLong();

  public MonotonicClock() {
    this(System::currentTimeMillis, System::nanoTime);
  }

  MonotonicClock(LongSupplier wallMillis, LongSupplier nanos) {
    this.wallMillis = wallMillis;
    this.nanos = nanos;
    this.startMillis = wallMillis.getAsLong();
    this.startNanos = nanos.getAsLong();
  }

  @Override
  public double getAsDouble() {
    double seconds = startMillis * 1e-3 + (nanos.getAsLong() - startNanos) * 1e-9;
    long aheadMillis = wallMillis.getAsLong() - (long) (seconds * 1e3);
    long told = toldMillis.get();
    if (Math.abs(aheadMillis - told) >= JUMP_MILLIS
        && toldMillis.compareAndSet(told, aheadMillis)) {
      LOG.warn(
          "the clock of this machine was set by {} s; limits and waits go on as if it had not been,"
              + " and times shown are {} s off until the server is started again",
          (aheadMillis - told) / 1000,
          -aheadMillis / 1000);
    }
    return seconds;
  }

  /** How far the wall clock was ahead when that was last logged. */
  long toldMillis() {
    return toldMillis.get();
  }
}
