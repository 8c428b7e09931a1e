package io.ringmaster.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * What a person waits and pays for: the launcher as a process of its own, from reading the files to
 * writing them.
 *
 * @param cpuSeconds of the whole process, with the launcher's shell and the JVM's start
 */
record EndToEnd(double cpuSeconds, double wallSeconds, long peakMemoryBytes, long events) {
  /** A run that takes longer is no good, and the others wait for it. */
  private static final int LONGEST_WALL_SECONDS = 150;

  /** Repeated runs end when they have taken so long: only short ones need it. */
  private static final double ENOUGH_SECONDS = 3;

  private static final int MOST_RUNS = 3;

  /** Of the times in /proc: 100 on every Linux of today. */
  private static final double TICKS_PER_SECOND = 100;

  /**
   * Runs the launcher a few times and returns the cheapest run: noise only adds. Nothing, if a run
   * takes too long.
   *
   * @param root the repository's root, where the launcher is
   * @param folder where jobs.csv and cluster.yaml are, and results may be written
   */
  static Optional<EndToEnd> cheapest(Path root, Path folder, String policy) {
    List<EndToEnd> runs = new ArrayList<>();
    double spent = 0;
    while (runs.size() < MOST_RUNS && spent < ENOUGH_SECONDS) {
      Optional<EndToEnd> run = once(root, folder, policy);
      if (run.isEmpty()) {
        return run;
      }
      runs.add(run.get());
      spent += run.get().cpuSeconds;
    }
    return runs.stream().min(Comparator.comparingDouble(EndToEnd::cpuSeconds));
  }

  private static Optional<EndToEnd> once(Path root, Path folder, String policy) {
    Path out = folder.resolve("out");
    Path log = folder.resolve("log");
    List<String> command =
        List.of(
            root.resolve("ringmaster").toAbsolutePath().toString(),
            "simulate",
            folder.resolve("jobs.csv").toString(),
            "--cluster",
            folder.resolve("cluster.yaml").toString(),
            "--policy",
            policy,
            "--out",
            out.toString(),
            "--json");
    try {
      delete(out);
      double cpuBefore = childrenCpuSeconds();
      long before = System.nanoTime();
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(LONGEST_WALL_SECONDS, TimeUnit.SECONDS)) {
        process.destroy();
        process.waitFor();
        return Optional.empty();
      }
      double wall = (System.nanoTime() - before) / 1e9;
      double cpu = childrenCpuSeconds() - cpuBefore;
      if (process.exitValue() != 0) {
        throw new IllegalStateException(
            "status %d of: %s\n%s"
                .formatted(process.exitValue(), String.join(" ", command), Files.readString(log)));
      }
      Map<?, ?> run = json(out.resolve("run.json"));
      Map<?, ?> summary = json(out.resolve("summary.json"));
      delete(out);
      return Optional.of(
          new EndToEnd(
              Double.isNaN(cpu) ? number(run, "process_cpu_s") : cpu,
              wall,
              (long) number(run, "process_peak_memory_bytes"),
              (long) number(summary, "events")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * CPU time of the processes that this one started and that ended, and of those that they started;
   * NaN where the system does not tell. The process itself can only tell what it used so far.
   */
  private static double childrenCpuSeconds() throws IOException {
    Path file = Path.of("/proc/self/stat");
    if (!Files.exists(file)) {
      return Double.NaN;
    }
    // The second field is a name in brackets that may hold blanks: counted from after it.
    String stat = Files.readString(file);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_PER_SECOND;
  }

  /** YAML's reader reads JSON. */
  private static Map<?, ?> json(Path file) throws IOException {
    Object document =
        new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    if (document instanceof Map<?, ?> map) {
      return map;
    }
    throw new IllegalStateException(file + ": expected a JSON object");
  }

  private static double number(Map<?, ?> document, String name) {
    if (document.get(name) instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalStateException("no number " + name + " among " + document.keySet());
  }

  /** Deletes a folder, if it is there. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
