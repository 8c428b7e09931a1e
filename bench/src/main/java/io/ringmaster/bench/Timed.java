package io.ringmaster.bench;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/**
 * What some work in this thread came to, and its CPU time with that of the garbage collector, which
 * here has one thread and stops the others. The compiler's time is not in it.
 */
record Timed<T>(T result, double cpuSeconds) {
  static <T> Timed<T> once(Supplier<T> work) {
    // The garbage of what was before is not this work's.
    System.gc();
    double before = spentSeconds();
    T result = work.get();
    return new Timed<>(result, spentSeconds() - before);
  }

  private static double spentSeconds() {
    double collecting = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collecting += collector.getCollectionTime() / 1e3;
    }
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9 + collecting;
  }
}
