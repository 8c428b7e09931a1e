package io.ringmaster.runs;

import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run cost, and where: the one thing that differs between two equal runs. */
public final class Machine {
  private final long startedNanos = System.nanoTime();

  /** Writes run.json. */
  public void write(Path folder, List<String> commandLine) {
    AtomicFile.write(folder.resolve(RunFiles.RUN), Json.document(document(commandLine)));
  }

  public Map<String, Object> document(List<String> commandLine) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("wall_s", (System.nanoTime() - startedNanos) / 1e9);
    out.put("process_cpu_s", cpuSeconds());
    out.put("process_peak_memory_bytes", peakMemoryBytes());
    out.put("host", host());
    out.put("cores", Runtime.getRuntime().availableProcessors());
    out.put("java", Runtime.version().toString());
    out.put("command_line", commandLine);
    return out;
  }

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
