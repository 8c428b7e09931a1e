package io.ringmaster.control.api;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets only so many do something at a time, in all and of each user. Others wait for their turn.
 */
final class Turns {
  private final int most;
  private final int mostOfUser;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private final Map<String, Integer> taken = new HashMap<>();
  private int all;

  Turns(int most, int mostOfUser) {
    this.most = most;
    this.mostOfUser = mostOfUser;
  }

  /** Takes a turn, which {@link #end} gives back. Waits at most so long; false: it was in vain. */
  boolean begin(String user, double waitSeconds) throws InterruptedException {
    long nanos = TimeUnit.NANOSECONDS.convert((long) (waitSeconds * 1e6), TimeUnit.MICROSECONDS);
    lock.lock();
    try {
      while (all >= most || taken.getOrDefault(user, 0) >= mostOfUser) {
        if (nanos <= 0) {
          return false;
        }
        nanos = freed.awaitNanos(nanos);
      }
      all++;
      taken.merge(user, 1, Integer::sum);
      return true;
    } finally {
      lock.unlock();
    }
  }

  void end(String user) {
    lock.lock();
    try {
      all--;
      taken.computeIfPresent(user, (_, n) -> n == 1 ? null : n - 1);
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
