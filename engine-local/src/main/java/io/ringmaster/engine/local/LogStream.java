package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A part of a file that may still grow: it ends where the file ended when this was made. Nothing is
 * open between two reads.
 */
final class LogStream extends InputStream {
  private static final int CHUNK_BYTES = 262_144;

  private final UserFiles files;
  private final UserFiles.Use use;
  private final Path file;
  private final long end;
  private long position;
  private ByteBuffer chunk = ByteBuffer.allocate(0);

  /** A part of a file, from a byte up to where it ends now, or to another. */
  LogStream(UserFiles files, AttemptId attempt, Path file, long fromByte, long toByte)
      throws IOException {
    this.files = files;
    this.use = new UserFiles.Use(attempt, UserFiles.Purpose.READ);
    this.file = file;
    long size = files.within(use, () -> UserFiles.size(file));
    this.end = Math.min(size, toByte);
    this.position = Math.clamp(fromByte, 0L, end);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!chunk.hasRemaining()) {
      long from = position;
      int most = (int) Math.min(CHUNK_BYTES, end - from);
      if (most <= 0) {
        return -1;
      }
      chunk = files.within(use, () -> UserFiles.read(file, from, most));
      if (!chunk.hasRemaining()) {
        return -1;
      }
    }
    int count = Math.min(length, chunk.remaining());
    chunk.get(bytes, offset, count);
    position += count;
    return count;
  }

  @Override
  public long skip(long bytes) {
    long skipped = Math.clamp(bytes, 0L, end - position);
    position += skipped;
    chunk =
        skipped < chunk.remaining()
            ? chunk.position(chunk.position() + (int) skipped)
            : ByteBuffer.allocate(0);
    return skipped;
  }
}
