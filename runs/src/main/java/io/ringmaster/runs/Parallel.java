package io.ringmaster.runs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/** Many tasks on a few threads. The order of results does not depend on how many. */
public final class Parallel {
  private static final int LONGEST_WAIT_SECONDS = 10;

  private Parallel() {}

  /**
   * Does tasks 0 to {@code count - 1}.
   *
   * @param done told how many are done, from any thread
   */
  public static <T> List<T> map(int count, int threads, LongConsumer done, IntFunction<T> task) {
    AtomicLong finished = new AtomicLong();
    ExecutorService pool =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int own = i;
        futures.add(
            pool.submit(() -> {
              T result = task.apply(own);
              done.accept(finished.incrementAndGet());
              return result;
            }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      pool.shutdownNow();
      letEnd(pool);
    }
  }

  /**
   * After a failure other tasks may be in the middle of a file. They are interrupted, and notice
   * when they write; one that only computes is not waited for long.
   */
  private static void letEnd(ExecutorService pool) {
    try {
      boolean _ = pool.awaitTermination(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
