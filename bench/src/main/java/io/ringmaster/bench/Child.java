package io.ringmaster.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Processes that are waited for, and what CPU time they took. */
final class Child {
  /** Of the times in /proc: 100 on every Linux of today. */
  private static final double TICKS_PER_SECOND = 100;

  private Child() {}

  /**
   * Of a process, from its start to its end; infinity if it takes too long.
   *
   * @param javaOptions more options for the launcher's JVM
   * @param log takes what it writes
   */
  static double cpuSeconds(
      List<String> command, String javaOptions, Path log, int longestWallSeconds)
      throws IOException, InterruptedException {
    double before = childrenCpuSeconds();
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("RINGMASTER_JAVA_OPTS", javaOptions);
    Process process = builder.start();
    if (!process.waitFor(longestWallSeconds, TimeUnit.SECONDS)) {
      process.destroy();
      process.waitFor();
      return Double.POSITIVE_INFINITY;
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException(
          "status %d of: %s\n%s"
              .formatted(process.exitValue(), String.join(" ", command), Files.readString(log)));
    }
    return childrenCpuSeconds() - before;
  }

  /**
   * CPU time of the processes that this one started and that ended, and of those that they started.
   */
  private static double childrenCpuSeconds() throws IOException {
    // The second field is a name in brackets that may hold blanks: counted from after it.
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_PER_SECOND;
  }
}
