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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Measures what this checkout costs beside another: the same commands with both launchers by turns,
 * so that a busy machine slows both, the ratio of their CPU times, and whether they write the same
 * bytes. {@code script/bench against} builds both and runs it.
 */
@Command(
    name = "script/bench against COMMIT",
    description = "Measures this checkout beside another.",
    mixinStandardHelpOptions = true)
public final class Against implements Callable<Integer> {
  private static final int LONGEST_WALL_SECONDS = 3600;

  @Parameters(index = "0", paramLabel = "CHECKOUT", description = "folder of the other, built")
  Path other = Path.of("");

  @Parameters(
      index = "1..*",
      paramLabel = "COMMAND",
      description =
          "after --: the command to measure instead of simulate; {jobs} and {cluster} stand for the"
              + " generated files, {out} for a folder whose files are compared")
  List<String> command = new ArrayList<>();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "of each, by turns (default: ${DEFAULT-VALUE})")
  int runs = Spread.FEWEST;

  @Option(
      names = "--jobs",
      split = ",",
      paramLabel = "N",
      description = "numbers of jobs (default: ${DEFAULT-VALUE})")
  List<Integer> jobs = List.of(20_000);

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      description = "policies (default: ${DEFAULT-VALUE})")
  List<String> policies = List.of("fifo", "easy", "las", "srtf");

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "settings of generate philly, such as elastic=4")
  Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--may-differ",
      split = ",",
      paramLabel = "FILE",
      description = "files of the run that need not be the same")
  Set<String> mayDiffer = new TreeSet<>();

  public static void main(String[] args) {
    CommandLine line = new CommandLine(new Against());
    line.setExecutionExceptionHandler((e, _, _) -> {
      System.err.println("script/bench against: " + e.getMessage());
      return 2;
    });
    System.exit(line.execute(args));
  }

  /** One run of one of the two. */
  private record Sample(double cpuSeconds, double peakMemoryBytes, Written written) {}

  private record Case(String name, List<String> command) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (runs < 1) {
      throw new BadInput("--runs is " + runs + "; it must be at least 1");
    }
    Path folder = Path.of("bench/target/against").toAbsolutePath();
    System.out.printf(
        Locale.ROOT,
        "%s runs of each by turns; load average %.1f, %d cores%n%n",
        runs,
        load(),
        Runtime.getRuntime().availableProcessors());
    System.out.printf(
        "%-32s %9s %9s %7s  %-14s %8s %8s  %s%n",
        "case", "before, s", "now, s", "ratio", "surely within", "MB then", "MB now", "files");
    boolean same = true;
    for (int size : jobs) {
      EndToEnd.delete(folder);
      Files.createDirectories(folder);
      Generated workload = Workloads.overloaded(size, settings);
      JobsFile.write(folder.resolve("jobs.csv"), workload.jobs());
      ClusterFile.write(folder.resolve("cluster.yaml"), workload.cluster());
      for (Case each : cases(size)) {
        same &= measure(each, folder);
      }
      if (!usesJobs()) {
        break;
      }
    }
    EndToEnd.delete(folder);
    System.out.printf(Locale.ROOT, "%nload average %.1f%n", load());
    return same ? 0 : 1;
  }

  private boolean usesJobs() {
    return command.isEmpty() || String.join(" ", command).contains("{jobs}");
  }

  private List<Case> cases(int size) {
    String numbers = String.format(Locale.ROOT, "%,d jobs, ", size);
    if (!command.isEmpty()) {
      return List.of(new Case((usesJobs() ? numbers : "") + String.join(" ", command), command));
    }
    return policies.stream()
        .map(policy ->
            new Case(
                numbers + policy,
                List.of(
                    "simulate",
                    "{jobs}",
                    "--cluster",
                    "{cluster}",
                    "--policy",
                    policy,
                    "--json",
                    "--out",
                    "{out}")))
        .toList();
  }

  /** Prints the row of a case; returns whether both wrote the same. */
  private boolean measure(Case each, Path folder) throws IOException, InterruptedException {
    List<Sample> before = new ArrayList<>();
    List<Sample> now = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      // What runs second finds the files in memory: by turns it is the one and the other.
      if (run % 2 == 0) {
        before.add(once(other, each, folder));
        now.add(once(Path.of(""), each, folder));
      } else {
        now.add(once(Path.of(""), each, folder));
        before.add(once(other, each, folder));
      }
    }
    double[] cpuBefore = of(before, Sample::cpuSeconds);
    double[] cpuNow = of(now, Sample::cpuSeconds);
    Spread ratio = Spread.ratio(cpuNow, cpuBefore);
    List<Written> wroteBefore = before.stream().map(Sample::written).toList();
    List<Written> wroteNow = now.stream().map(Sample::written).toList();
    Set<String> differing = Written.differing(wroteBefore, wroteNow);
    differing.removeAll(mayDiffer);
    Set<String> unsteady = Written.unsteady(wroteBefore);
    System.out.printf(
        Locale.ROOT,
        "%-32s %9.2f %9.2f %7.2f  %-14s %8s %8s  %s%s%n",
        each.name,
        Spread.of(cpuBefore).middle(),
        Spread.of(cpuNow).middle(),
        ratio.middle(),
        runs < Spread.FEWEST
            ? "too few runs"
            : String.format(Locale.ROOT, "%.2f to %.2f", ratio.low(), ratio.high()),
        megabytes(before),
        megabytes(now),
        differing.isEmpty() ? "equal" : "DIFFER: " + String.join(", ", differing),
        unsteady.isEmpty() ? "" : "; never the same: " + String.join(", ", unsteady));
    return differing.isEmpty();
  }

  private static String megabytes(List<Sample> samples) {
    double middle = Spread.of(of(samples, Sample::peakMemoryBytes)).middle() / 1e6;
    return Double.isNaN(middle) ? "" : String.format(Locale.ROOT, "%.0f", middle);
  }

  private static double[] of(List<Sample> samples, ToDoubleFunction<Sample> value) {
    return samples.stream().mapToDouble(value).toArray();
  }

  private static Sample once(Path checkout, Case each, Path folder)
      throws IOException, InterruptedException {
    // The same for both: it may stand in what is written.
    Path out = folder.resolve("out");
    Path printed = folder.resolve("printed");
    EndToEnd.delete(out);
    List<String> line = new ArrayList<>();
    line.add(checkout.resolve("ringmaster").toAbsolutePath().toString());
    for (String word : each.command) {
      line.add(
          word.replace("{jobs}", folder.resolve("jobs.csv").toString())
              .replace("{cluster}", folder.resolve("cluster.yaml").toString())
              .replace("{out}", out.toString()));
    }
    double cpu = Child.cpuSeconds(line, "", printed, LONGEST_WALL_SECONDS);
    if (cpu == Double.POSITIVE_INFINITY) {
      throw new IllegalStateException("took over an hour: " + String.join(" ", line));
    }
    Path run = out.resolve("run.json");
    double memory =
        Files.exists(run)
            ? EndToEnd.number(EndToEnd.json(run), "process_peak_memory_bytes")
            : Double.NaN;
    return new Sample(cpu, memory, Written.of(out, printed));
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
