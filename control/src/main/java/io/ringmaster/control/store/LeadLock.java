package io.ringmaster.control.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lock of the operating system on a file beside the database. The kernel takes it back however
 * its holder ends, and gives it to one process only.
 *
 * <p>Linux drops all locks of a process on a file when the process closes any channel to it. So
 * this process never has two channels to one such file: {@link #HELD} has those that it holds.
 */
final class LeadLock {
  private static final Set<Path> HELD = new HashSet<>();

  /** Bytes of the file that stand for the lead and for changing tables. */
  private static final int LEAD = 0;

  private static final int TABLES = 1;

  private final Path file;
  private @Nullable FileLock lock;

  LeadLock(Path file) {
    this.file = file;
  }

  /** What may throw. */
  interface Work<X extends Exception> {
    void run() throws X;
  }

  /** Runs while no other process does the same. */
  static <X extends Exception> void alone(Path file, Work<X> work) throws X, IOException {
    synchronized (HELD) {
      if (HELD.contains(file)) {
        work.run();
        return;
      }
      try (FileChannel channel = open(file)) {
        channel.lock(TABLES, 1, false);
        work.run();
      }
    }
  }

  boolean take() throws IOException {
    synchronized (HELD) {
      if (isHeld()) {
        return true;
      }
      if (HELD.contains(file)) {
        return false;
      }
      FileChannel channel = open(file);
      lock = channel.tryLock(LEAD, 1, false);
      if (lock == null) {
        channel.close();
        return false;
      }
      HELD.add(file);
      return true;
    }
  }

  boolean isHeld() {
    synchronized (HELD) {
      return lock != null && lock.isValid();
    }
  }

  void release() throws IOException {
    synchronized (HELD) {
      if (lock != null) {
        lock.acquiredBy().close();
        lock = null;
        HELD.remove(file);
      }
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return PrivateFiles.open(file);
  }
}
