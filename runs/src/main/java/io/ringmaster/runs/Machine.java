package io.ringmaster.runs;

import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a run cost, and where: the one thing that differs between two equal runs. */
public final class Machine {
  private final long startedNanos = System.nanoTime();

  /** Writes run.json. */
  public void write(Path folder, List<String> commandLine) {
    AtomicFile.write(folder.resolve(RunFiles.RUN), Json.document(document(commandLine)));
  }

  public Document document(List<String> commandLine) {
    return new Document(
        (System.nanoTime() - startedNanos) / 1e9,
        cpuSeconds(),
        peakMemoryBytes(),
        host(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().toString(),
        commandLine);
  }

  /** What run.json holds. */
  public record Document(
      double wallSeconds,
      double processCpuSeconds,
      long processPeakMemoryBytes,
      String host,
      int cores,
      String java,
      List<String> commandLine) {}

  public static double cpuSeconds() {
    Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    return cpu.toNanos() / 1e9;
  }

  /** The resident set's high-water mark, where the system tells; 0 otherwise. */
  private static long peakMemoryBytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
    return 0;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
