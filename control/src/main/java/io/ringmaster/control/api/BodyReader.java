package io.ringmaster.control.api;

import io.ringmaster.model.BadInput;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads the body of one request: only so many bytes, only for so long, and only as many at once as
 * there is room for. Memory is taken as bytes come, not as they are promised.
 */
final class BodyReader {
  private static final int FIRST_BYTES = 4 << 10;

  /** So much too much is read before it is refused; many clients do not listen while they send. */
  private static final int DISCARDED_BYTES = 16 << 20;

  private final Request request;
  private final ByteBudget.Share share;
  private final double mostSeconds;
  private final long untilNanos;
  private boolean awaited;

  BodyReader(Request request, ByteBudget.Share share, double mostSeconds) {
    this.request = request;
    this.share = share;
    this.mostSeconds = mostSeconds;
    this.untilNanos = System.nanoTime() + (long) (mostSeconds * 1e9);
  }

  /** Whether it was given up while bytes were awaited: the connection is of no use any more. */
  boolean isAwaited() {
    return awaited;
  }

  /**
   * @throws Problem if it is too large, there is no room for it, or it does not come
   */
  String text(int mostBytes) throws InterruptedException {
    long promised = request.getLength();
    long mostRoom = promised < 0 ? mostBytes : Math.min(mostBytes, promised);
    byte[] bytes = new byte[0];
    int size = 0;
    for (Content.Chunk chunk = next(); ; chunk = next()) {
      boolean last = chunk.isLast();
      try {
        ByteBuffer piece = chunk.getByteBuffer();
        int more = piece.remaining();
        if (more > mostBytes - size) {
          throw new Problem(413, "the body is larger than %d bytes".formatted(mostBytes));
        }
        if (size + more > bytes.length) {
          int room =
              (int) Math.max(size + more, Math.min(mostRoom, Math.max(FIRST_BYTES, 2L * size)));
          share.take(room - bytes.length);
          bytes = Arrays.copyOf(bytes, room);
        }
        piece.get(bytes, size, more);
        size += more;
      } finally {
        chunk.release();
      }
      if (last) {
        return RequestTarget.text(ByteBuffer.wrap(bytes, 0, size))
            .orElseThrow(() -> new BadInput("the body is not UTF-8"));
      }
    }
  }

  /** Reads and forgets, so that the caller comes to hear the answer. Holds no bytes meanwhile. */
  void discard() throws InterruptedException {
    share.close();
    try {
      for (int left = DISCARDED_BYTES; left > 0; ) {
        Content.Chunk chunk = next();
        left -= chunk.remaining();
        chunk.release();
        if (chunk.isLast()) {
          return;
        }
      }
    } catch (BadInput | Problem e) {
      // What is refused anyway need not be right, nor come.
    }
  }

  /** What comes next; the last may be empty. */
  private Content.Chunk next() throws InterruptedException {
    while (true) {
      Content.Chunk chunk = request.read();
      if (Content.Chunk.isFailure(chunk)) {
        throw new BadInput("the body cannot be read: it ended early, or its chunks are wrong");
      }
      if (chunk != null) {
        return chunk;
      }
      CountDownLatch ready = new CountDownLatch(1);
      request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, ready::countDown));
      if (!ready.await(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        awaited = true;
        throw new Problem(
                408, "the body did not come within %s s".formatted(Limit.text(mostSeconds)))
            .with("Connection", "close");
      }
    }
  }
}
