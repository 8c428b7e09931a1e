package io.ringmaster.control.api;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads what users' programs wrote. That may hang for ever: a named pipe, a file system whose
 * server is gone. So each read has a thread of its own, never one that carries other requests, and
 * is given up after a while. A thread that hangs keeps its place: there are only so many in all and
 * for the files of one user, and whoever finds none is refused.
 */
final class FileReads {
  private final Turns turns;
  private final double mostSeconds;

  /** What is done on such a thread. */
  @FunctionalInterface
  interface Reading<T> {
    T read() throws IOException;
  }

  FileReads(Limits limits) {
    turns = new Turns(limits.whole(Limit.FILE_READS), limits.whole(Limit.USER_FILE_READS));
    mostSeconds = limits.number(Limit.FILE_S);
  }

  /**
   * @param owner whose files
   * @param what is read, in words
   * @throws Problem if it takes too long, or too many others do
   */
  <T> T read(String owner, String what, Reading<T> reading) throws IOException {
    try {
      if (!turns.begin(owner, mostSeconds)) {
        throw new Problem(
                503,
                "%s cannot be read now: too many reads of files of %s, or of all, do not end"
                    .formatted(what, owner))
            .with("Retry-After", "10");
      }
      return begin(owner, reading).get((long) (mostSeconds * 1e6), TimeUnit.MICROSECONDS);
    } catch (TimeoutException e) {
      throw new Problem(
          504,
          "%s could not be read within %s s: its file system does not answer, or it is no plain file"
              .formatted(what, Limit.text(mostSeconds)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(503, "the server is going down");
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case RuntimeException other -> throw other;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  private <T> CompletableFuture<T> begin(String owner, Reading<T> reading) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            result.complete(reading.read());
          } catch (Throwable e) {
            result.completeExceptionally(e);
          } finally {
            turns.end(owner);
          }
        };
    try {
      Thread.ofPlatform().name("file-read").daemon().start(task);
    } catch (Throwable e) {
      turns.end(owner);
      throw e;
    }
    return result;
  }
}
