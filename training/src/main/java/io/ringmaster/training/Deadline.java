package io.ringmaster.training;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How long is left to wait. */
record Deadline(Duration patience, long endNanos) {
  static Deadline in(Duration patience) {
    return new Deadline(patience, System.nanoTime() + patience.toNanos());
  }

  boolean isOver() {
    return System.nanoTime() - endNanos >= 0;
  }

  /** At least 1: zero would mean for ever to those who ask for a timeout. */
  int millisLeft() {
    long millis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    return Math.clamp(millis, 1, Integer.MAX_VALUE);
  }

  void select(Selector selector) throws IOException {
    selector.select(millisLeft());
    if (Thread.interrupted()) {
      throw new InterruptedIOException("interrupted");
    }
  }

  void sleep(int millis) throws IOException {
    try {
      Thread.sleep(Math.min(millis, millisLeft()));
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }

  String text() {
    return text(patience);
  }

  /** For messages. */
  static String text(Duration patience) {
    return patience.toMillis() / 1000.0 + " s";
  }
}
