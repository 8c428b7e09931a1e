package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * How files are opened that a job can touch: as regular files, without following a link, on threads
 * of their own and with a time limit. What hangs, hangs for its own attempt and nobody else. The
 * decision record 0045 says why it is done so.
 */
final class UserFiles implements AutoCloseable {
  static final long PATIENCE_MILLIS = 5_000;

  /** Far more than attempts whose files hang at one time; each has one thread for each purpose. */
  private static final int MOST_THREADS = 256;

  /** A job does one thing of a kind at a time: it can make one thread of a kind hang. */
  enum Purpose {
    LOOK,
    READ,
    SEND,
    DELETE
  }

  record Use(AttemptId attempt, Purpose purpose) {}

  /** Something that may hang. */
  @FunctionalInterface
  interface Action<T extends @Nullable Object> {
    T run() throws IOException;
  }

  private final ConcurrentHashMap<Use, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          MOST_THREADS,
          10,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().name("local-engine-files-", 0).daemon().factory());

  /** Begins. Null: another of this use is under way. */
  <T extends @Nullable Object> @Nullable CompletableFuture<T> start(Use use, Action<T> action) {
    CompletableFuture<T> result = new CompletableFuture<>();
    if (underWay.putIfAbsent(use, result) != null) {
      return null;
    }
    try {
      threads.execute(() -> {
        try {
          T value = action.run();
          underWay.remove(use, result);
          result.complete(value);
        } catch (Throwable e) {
          // Whatever it is, somebody waits for it.
          underWay.remove(use, result);
          result.completeExceptionally(e);
        }
      });
    } catch (RejectedExecutionException e) {
      underWay.remove(use, result);
      result.completeExceptionally(
          new IOException("files of %d attempts hang already".formatted(MOST_THREADS)));
    }
    return result;
  }

  /** Waits for it, and no longer than {@link #PATIENCE_MILLIS}. */
  <T extends @Nullable Object> T within(Use use, Action<T> action) throws IOException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    CompletableFuture<T> mine = start(use, action);
    while (mine == null) {
      CompletableFuture<?> other = underWay.get(use);
      if (other != null) {
        await(use, other.exceptionally(_ -> null), endNanos);
      }
      mine = start(use, action);
    }
    return await(use, mine, endNanos);
  }

  private static <T extends @Nullable Object> T await(
      Use use, CompletableFuture<T> future, long endNanos) throws IOException {
    try {
      return future.get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "a file of %s did not answer within %d s"
              .formatted(use.attempt(), PATIENCE_MILLIS / 1000),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case NoSuchFileException none -> throw none;
        case IOException failed -> throw new IOException(failed.getMessage(), failed);
        case null, default -> throw new IOException(e.getCause());
      }
    }
  }

  /** What hangs may hang on: its threads are daemons. */
  @Override
  public void close() {
    threads.shutdown();
  }

  /** Length of a regular file that has one name: another may be that of somebody else's file. */
  static long size(Path file) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(file, "unix:isRegularFile,nlink,size", LinkOption.NOFOLLOW_LINKS);
    if (!Boolean.TRUE.equals(attributes.get("isRegularFile"))) {
      throw new IOException(file + " is no regular file");
    }
    if (!Integer.valueOf(1).equals(attributes.get("nlink"))) {
      throw new IOException(file + " is a second name of another file");
    }
    return attributes.get("size") instanceof Long bytes ? bytes : 0;
  }

  /**
   * Opens a regular file. For writing too: if it became a pipe since it was looked at, that waits
   * for nobody. Read it by position only, which fails for a pipe and does not wait either.
   */
  static FileChannel open(Path file) throws IOException {
    long _ = size(file);
    try {
      return FileChannel.open(
          file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (AccessDeniedException e) {
      return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** A part of a regular file, at most so many bytes; fewer at its end. */
  static ByteBuffer read(Path file, long from, int most) throws IOException {
    try (FileChannel channel = open(file)) {
      ByteBuffer bytes =
          ByteBuffer.allocate((int) Math.clamp(channel.size() - from, 0L, (long) most));
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
        // Until it is full, or the file was cut.
      }
      return bytes.flip();
    }
  }

  /** A short text; null: there is no such file. */
  static @Nullable String text(Path file) throws IOException {
    try {
      return StandardCharsets.UTF_8.decode(read(file, 0, 65_536)).toString();
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
