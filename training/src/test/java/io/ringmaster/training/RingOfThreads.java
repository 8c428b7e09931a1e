package io.ringmaster.training;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Members of a ring as threads of this process. */
final class RingOfThreads {
  private RingOfThreads() {}

  /** What a member does in the ring. */
  @FunctionalInterface
  interface Part<T> {
    T play(Ring ring) throws Exception;
  }

  /** What each member had in the end, by rank. */
  static <T> List<T> run(int size, Part<T> part) {
    int port = freePort();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
      List<Future<T>> parts = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        int own = rank;
        parts.add(
            threads.submit(() -> {
              try (Ring ring =
                  Ring.join(own, size, "127.0.0.1", port, "1.1", Duration.ofSeconds(20))) {
                return part.play(ring);
              }
            }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> each : parts) {
        results.add(each.get());
      }
      return results;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
