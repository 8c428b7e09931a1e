package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must stay free on the disk of the data folder, so that the store can write. While less is
 * free, nothing is started, and logs are kept shorter.
 */
final class DiskReserve {
  /** What a log is cut to while the disk is short. */
  static final long SHORT_LOG_BYTES = 16_000_000;

  /** So much more must be free again, or it would go back and forth. */
  private static final double ENOUGH = 1.1;

  private static final int NAMED = 3;
  private static final Logger LOG = LoggerFactory.getLogger(DiskReserve.class);

  private final Path folder;
  private final long reserveBytes;
  private final Leftovers processes;
  private volatile boolean isShort;
  private volatile long freeBytes = Long.MAX_VALUE;

  DiskReserve(Path folder, long reserveBytes, Leftovers processes) {
    this.folder = folder;
    this.reserveBytes = reserveBytes;
    this.processes = processes;
  }

  boolean isShort() {
    return isShort;
  }

  /** Why nothing is started, for people. */
  String why() {
    return "the disk of %s has %d MB free, and %d MB are kept for the server"
        .formatted(folder, freeBytes / 1_000_000, reserveBytes / 1_000_000);
  }

  /** The same for whoever waits: without what changes all the time, or names a folder. */
  String whyClosed() {
    return "the server's disk is short: less than %d MB are free, and nothing is started until there is more"
        .formatted(reserveBytes / 1_000_000);
  }

  /** Looks again, and says when it changed. */
  void look() throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    freeBytes = free;
    boolean before = isShort;
    isShort = free < (before ? ENOUGH * reserveBytes : reserveBytes);
    if (isShort && !before) {
      LOG.warn(
          "{}: nothing is started and logs over {} MB are cut until there is more{}",
          why(),
          SHORT_LOG_BYTES / 1_000_000,
          writers());
    } else if (before && !isShort) {
      LOG.info("{}: there is room on the disk again, {} MB", folder, free / 1_000_000);
    }
  }

  private String writers() throws IOException {
    String most =
        processes.writtenBytes().entrySet().stream()
            .sorted(Map.Entry.<AttemptId, Long>comparingByValue(Comparator.reverseOrder()))
            .limit(NAMED)
            .map(entry -> "%s (%d MB)".formatted(entry.getKey(), entry.getValue() / 1_000_000))
            .collect(Collectors.joining(", "));
    return most.isEmpty() ? "" : "; of the attempts that run these wrote most: " + most;
  }
}
