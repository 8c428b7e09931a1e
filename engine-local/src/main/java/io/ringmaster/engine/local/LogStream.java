package io.ringmaster.engine.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A part of a file that may still grow: it ends where the file ended when it was opened. */
final class LogStream extends InputStream {
  private final FileChannel channel;
  private long left;

  private LogStream(FileChannel channel, long left) {
    this.channel = channel;
    this.left = left;
  }

  static InputStream open(Path file, long fromByte) throws IOException {
    return open(file, fromByte, Long.MAX_VALUE);
  }

  static InputStream open(Path file, long fromByte, long toByte) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      long size = Math.min(channel.size(), toByte);
      long from = Math.clamp(fromByte, 0L, size);
      channel.position(from);
      return new LogStream(channel, size - from);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
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
    if (left == 0) {
      return -1;
    }
    int read = channel.read(ByteBuffer.wrap(bytes, offset, (int) Math.min(length, left)));
    left = read < 0 ? 0 : left - read;
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = Math.clamp(bytes, 0L, left);
    channel.position(channel.position() + skipped);
    left -= skipped;
    return skipped;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
