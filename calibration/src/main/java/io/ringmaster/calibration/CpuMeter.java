package io.ringmaster.calibration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Processor time while all rings send the largest message. */
final class CpuMeter {
  private static final Pattern WORD = Pattern.compile("\\s+");

  private double used;
  private double usedBefore = Double.NaN;
  private long nanos;
  private long startNanos;
  private long[] statBefore = {0, 0};
  private long busy;
  private long total;

  void start(double cpuSeconds) {
    usedBefore = cpuSeconds;
    startNanos = System.nanoTime();
    statBefore = stat();
  }

  void stop(double cpuSeconds) {
    if (!Double.isNaN(usedBefore)) {
      used += cpuSeconds - usedBefore;
      nanos += System.nanoTime() - startNanos;
      long[] now = stat();
      busy += now[0] - statBefore[0];
      total += now[1] - statBefore[1];
    }
  }

  double usedCores() {
    return used / (nanos / 1e9);
  }

  double busyShare() {
    return total == 0 ? Double.NaN : (double) busy / total;
  }

  /** Busy ticks and all ticks of this machine so far, where the system tells. */
  private static long[] stat() {
    try {
      long[] ticks =
          WORD.splitAsStream(Files.readAllLines(Path.of("/proc/stat")).getFirst())
              .skip(1)
              .limit(8)
              .mapToLong(Long::parseLong)
              .toArray();
      long all = Arrays.stream(ticks).sum();
      return new long[] {all - ticks[3] - ticks[4], all};
    } catch (IOException | RuntimeException e) {
      return new long[] {0, 0};
    }
  }
}
