package io.ringmaster.bench;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/**
 * What some work in this thread came to, and its CPU time with that of the garbage collector, which
 * here has one thread and stops the others. The compiler's time is not in it.
 */
record Timed<T>(T result, double cpuSeconds) {
  /** Repeated runs end when they have taken so long: only short ones need it. */
  private static final double ENOUGH_SECONDS = 2;

  private static final int MOST_RUNS = 5;

  static <T> Timed<T> once(Supplier<T> work) {
    // The garbage of what was before is not this work's.
    System.gc();
    double before = spentSeconds();
    T result = work.get();
    return new Timed<>(result, spentSeconds() - before);
  }

  /**
   * Does the same work a few times and returns the cheapest: noise only adds.
   *
   * @param preparation makes the work ready, which is not timed
   */
  static <T> Timed<T> cheapest(Supplier<Supplier<T>> preparation) {
    Timed<T> best = once(preparation.get());
    double spent = best.cpuSeconds;
    for (int run = 1; run < MOST_RUNS && spent < ENOUGH_SECONDS; run++) {
      Timed<T> next = once(preparation.get());
      spent += next.cpuSeconds;
      best = next.cpuSeconds < best.cpuSeconds ? next : best;
    }
    return best;
  }

  private static double spentSeconds() {
    double collecting = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collecting += collector.getCollectionTime() / 1e3;
    }
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9 + collecting;
  }
}
