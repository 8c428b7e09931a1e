package io.ringmaster.engine.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Keeps logs short: one that grew too long loses its middle. Its beginning stays, then there is a
 * line that says so, then what was printed last. Workers append, so that they go on after it.
 */
final class LogLimit {
  /** The newest that stays at a cut: what a program said just before it ended matters most. */
  private static final int TAIL_BYTES = 65_536;

  private static final int MOST_TRIES = 5;

  private LogLimit() {}

  /** Cuts a log that is longer than it may be. Returns whether it was. */
  static boolean cut(Path log, long mostBytes) throws IOException {
    try {
      if (UserFiles.size(log) <= mostBytes) {
        return false;
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    try (FileChannel channel = UserFiles.open(log)) {
      // What is appended between a look and the cut would be lost, and may be the last word.
      for (int tries = 1; !cut(channel, mostBytes, tries == MOST_TRIES); tries++) {}
      return true;
    }
  }

  /** Returns whether it was cut; not if somebody appended meanwhile, unless that is no matter. */
  private static boolean cut(FileChannel channel, long mostBytes, boolean isLast)
      throws IOException {
    long size = channel.size();
    long keep = mostBytes / 2;
    ByteBuffer after = ByteBuffer.allocate((int) Math.min(TAIL_BYTES, mostBytes / 4));
    while (after.hasRemaining()
        && channel.read(after, size - after.capacity() + after.position()) >= 0) {
      // Until it is full, or somebody else cut it.
    }
    after.flip();
    byte[] mark = mark(mostBytes).getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(mark.length + after.remaining());
    bytes.put(mark).put(after).flip();
    long end = keep + bytes.remaining();
    // Before it is made shorter: what is appended meanwhile comes behind it.
    while (bytes.hasRemaining()) {
      channel.write(bytes, end - bytes.remaining());
    }
    if (!isLast && channel.size() != size) {
      return false;
    }
    channel.truncate(end);
    return true;
  }

  private static String mark(long mostBytes) {
    return "\nringmaster: cut here: the log reached %.6g MB, and what was printed between is gone\n"
        .formatted(mostBytes / 1e6)
        .replaceAll("(\\.[0-9]*?)0+ MB", "$1 MB")
        .replace(". MB", " MB");
  }
}
