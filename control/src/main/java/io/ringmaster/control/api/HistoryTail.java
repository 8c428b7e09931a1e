package io.ringmaster.control.api;

import io.ringmaster.control.store.Entry;
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells all who listen what was written to the history. One thread reads what is new once and keeps
 * the newest for all. A listener has a place in the history and nothing else: one that falls behind
 * what is kept reads from the store, and no buffer grows for it.
 */
public final class HistoryTail implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryTail.class);
  private static final int KEPT = 10_000;
  private static final int PAGE = 1000;

  /** Commits that follow each other so quickly are read together. */
  private static final long GATHER_MILLIS = 20;

  /** A server that stands by is told of nothing, so it looks by itself. */
  private static final long LOOK_MILLIS = 1000;

  private final Store store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition announcement = lock.newCondition();
  private final Condition arrival = lock.newCondition();
  private final Thread reader;

  /** Entries without a gap, the last of them with the serial {@link #newest}. */
  private final List<Entry> kept = new ArrayList<>();

  private long newest;
  private long announced;
  private boolean closed;

  /**
   * @param lastEntry the greatest serial that is stored by now
   */
  public HistoryTail(Store store, long lastEntry) {
    this.store = store;
    this.newest = lastEntry;
    this.announced = lastEntry;
    this.reader = Thread.ofPlatform().name("history").daemon().start(this::read);
  }

  /** Something was committed; its last entry has this serial. */
  public void published(long serial) {
    lock.lock();
    try {
      if (serial > announced) {
        announced = serial;
        announcement.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  long newest() {
    lock.lock();
    try {
      return newest;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Some of what follows a serial; waits for it, and gives up with nothing after a while. */
  List<Entry> after(long serial, double waitSeconds) throws InterruptedException {
    lock.lock();
    try {
      long nanos = (long) (waitSeconds * 1e9);
      while (newest <= serial && !closed && nanos > 0) {
        nanos = arrival.awaitNanos(nanos);
      }
      if (newest <= serial || closed) {
        return List.of();
      }
      long oldest = newest - kept.size() + 1;
      if (serial + 1 >= oldest) {
        int first = (int) (serial + 1 - oldest);
        return List.copyOf(kept.subList(first, Math.min(kept.size(), first + PAGE)));
      }
    } finally {
      lock.unlock();
    }
    return store.entriesAfter(serial, PAGE);
  }

  private void read() {
    try {
      while (awaitAnnouncement()) {
        try {
          while (take(store.entriesAfter(newest(), PAGE)) == PAGE) {}
        } catch (RuntimeException e) {
          LOG.warn("cannot read the history; trying again: {}", e.getMessage());
          TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        TimeUnit.MILLISECONDS.sleep(GATHER_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean awaitAnnouncement() throws InterruptedException {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
      while (announced <= newest && !closed && nanos > 0) {
        nanos = announcement.awaitNanos(nanos);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private int take(List<Entry> entries) {
    lock.lock();
    try {
      if (!entries.isEmpty()) {
        kept.addAll(entries);
        newest = entries.getLast().serial();
        if (kept.size() > 2 * KEPT) {
          kept.subList(0, kept.size() - KEPT).clear();
        }
        arrival.signalAll();
      } else if (announced > newest) {
        // What was announced is not there: a restored database, say. Wait for the next.
        announced = newest;
      }
      return entries.size();
    } finally {
      lock.unlock();
    }
  }

  /** Lets all who wait go. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      announcement.signalAll();
      arrival.signalAll();
    } finally {
      lock.unlock();
    }
    reader.interrupt();
  }
}
