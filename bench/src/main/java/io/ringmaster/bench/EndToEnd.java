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
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * What a person waits and pays for: the launcher as a process of its own, from reading the files to
 * writing them; and right after it the same of {@link Calibration}.
 *
 * @param cpuSeconds of the whole process, with the launcher's shell and the JVM's start
 * @param kernelSeconds CPU time of the calibration, its JVM's start included
 */
record EndToEnd(
    double cpuSeconds,
    double kernelSeconds,
    double wallSeconds,
    long peakMemoryBytes,
    long events) {
  /** A run that takes longer is no good, and the others wait for it. */
  private static final int LONGEST_WALL_SECONDS = 150;

  /** The launcher's, but for its start-up cache and its messages. */
  private static final List<String> JVM =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:MaxNewSize=64m",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseCompactObjectHeaders",
          "-XX:-UsePerfData");

  /**
   * Runs launcher and calibration by turns, so many times. Nothing, if a run takes too long.
   *
   * @param root the repository's root, where the launcher is
   * @param folder where jobs.csv and cluster.yaml are, and results may be written
   */
  static Optional<List<EndToEnd>> pairs(Path root, Path folder, String policy, int pairs) {
    List<EndToEnd> runs = new ArrayList<>();
    while (runs.size() < pairs) {
      Optional<EndToEnd> run = once(root, folder, policy);
      if (run.isEmpty()) {
        return Optional.empty();
      }
      runs.add(run.get());
    }
    return Optional.of(runs);
  }

  /** What one run of the launcher took, and its folder of results. */
  record Spent(double cpuSeconds, double wallSeconds, Path out) {}

  /**
   * Runs the launcher once. Nothing, if it takes too long.
   *
   * @param javaOptions more options for the JVM
   * @param longestSeconds by the clock
   */
  static Optional<Spent> run(
      Path root, Path folder, String policy, String javaOptions, int longestSeconds) {
    Path out = folder.resolve("out");
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
      long before = System.nanoTime();
      double cpu = Child.cpuSeconds(command, javaOptions, folder.resolve("log"), longestSeconds);
      double wall = (System.nanoTime() - before) / 1e9;
      return cpu == Double.POSITIVE_INFINITY
          ? Optional.empty()
          : Optional.of(new Spent(cpu, wall, out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static Optional<EndToEnd> once(Path root, Path folder, String policy) {
    Optional<Spent> spent = run(root, folder, policy, "", LONGEST_WALL_SECONDS);
    if (spent.isEmpty()) {
      return Optional.empty();
    }
    try {
      Path out = spent.get().out();
      Map<?, ?> run = json(out.resolve("run.json"));
      Map<?, ?> summary = json(out.resolve("summary.json"));
      delete(out);
      return Optional.of(
          new EndToEnd(
              spent.get().cpuSeconds(),
              Child.cpuSeconds(kernel(), "", folder.resolve("log"), LONGEST_WALL_SECONDS),
              spent.get().wallSeconds(),
              (long) number(run, "process_peak_memory_bytes"),
              (long) number(summary, "events")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static List<String> kernel() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java));
    command.addAll(JVM);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), Calibration.class.getName()));
    return command;
  }

  /** YAML's reader reads JSON. */
  static Map<?, ?> json(Path file) throws IOException {
    Object document =
        new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    if (document instanceof Map<?, ?> map) {
      return map;
    }
    throw new IllegalStateException(file + ": expected a JSON object");
  }

  static double number(Map<?, ?> document, String name) {
    if (document.get(name) instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalStateException("no number " + name + " among " + document.keySet());
  }

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
