package io.ringmaster.bench;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.JobsFile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Where the CPU time of whole runs goes, by {@linkplain Part part}: each is run once as it is, for
 * what it takes, and once with Flight Recorder, for who took it.
 */
@Command(
    name = "script/bench profile",
    description = "Says where the CPU time of whole runs goes.",
    mixinStandardHelpOptions = true)
public final class Profile implements Callable<Integer> {
  private static final int LONGEST_SECONDS = 1200;

  @Option(
      names = "--jobs",
      split = ",",
      paramLabel = "N",
      description = "numbers of jobs (default: ${DEFAULT-VALUE})")
  List<Integer> jobs = List.of(20_000, 1_000_000);

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      description = "policies (default: ${DEFAULT-VALUE})")
  List<String> policies = List.of("fifo", "easy", "las", "srtf", "maestro", "gadget", "doubling");

  @Option(
      names = "--methods",
      paramLabel = "N",
      description = "so many of the methods that took most, after each table row")
  int methods;

  public static void main(String[] args) {
    CommandLine line = new CommandLine(new Profile());
    line.setExecutionExceptionHandler((e, _, _) -> {
      System.err.println("script/bench profile: " + e.getMessage());
      return 2;
    });
    System.exit(line.execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Path root = Path.of("");
    if (!Files.isExecutable(root.resolve("ringmaster"))) {
      throw new BadInput("no launcher here; run this at the root of the repository");
    }
    System.out.printf(
        Locale.ROOT,
        "Load average %.1f, %d cores, Java %s%n%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version());
    System.out.println(header());
    Path folder = root.resolve("bench/target/profile");
    for (int size : jobs) {
      Generated workload = Workloads.overloaded(size);
      EndToEnd.delete(folder);
      Files.createDirectories(folder);
      JobsFile.write(folder.resolve("jobs.csv"), workload.jobs());
      ClusterFile.write(folder.resolve("cluster.yaml"), workload.cluster());
      for (String policy : policies) {
        System.out.println(row(root, folder, size, policy));
      }
    }
    EndToEnd.delete(folder);
    return 0;
  }

  private static String header() {
    List<String> columns = new ArrayList<>(List.of("jobs", "policy", "CPU s"));
    Arrays.stream(Part.values()).map(Part::title).forEach(columns::add);
    String line = columns.stream().map(c -> "---:").collect(Collectors.joining(" | ", "| ", " |"));
    return columns.stream().collect(Collectors.joining(" | ", "| ", " |\n")) + line;
  }

  private String row(Path root, Path folder, int size, String policy) throws IOException {
    Optional<EndToEnd.Spent> plain = EndToEnd.run(root, folder, policy, "", LONGEST_SECONDS);
    Path recording = folder.resolve("run.jfr").toAbsolutePath();
    Optional<EndToEnd.Spent> recorded =
        plain.isEmpty()
            ? plain
            : EndToEnd.run(root, folder, policy, Samples.options(recording), LONGEST_SECONDS);
    if (plain.isEmpty() || recorded.isEmpty()) {
      return String.format(Locale.ROOT, "| %,d | `%s` | too long |", size, policy);
    }
    double total = plain.get().cpuSeconds();
    Samples samples = Samples.read(recording);
    StringBuilder line =
        new StringBuilder(String.format(Locale.ROOT, "| %,d | `%s` | %.2f |", size, policy, total));
    for (Part part : Part.values()) {
      double seconds = part == Part.JVM ? total - samples.seconds() : samples.seconds(part);
      line.append(String.format(Locale.ROOT, " %.2f |", Math.max(0, seconds)));
    }
    for (String method : samples.methods(methods)) {
      line.append("\n    ").append(method);
    }
    return line.toString();
  }
}
