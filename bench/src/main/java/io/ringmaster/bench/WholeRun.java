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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures whole runs at several numbers of jobs: the launcher end to end beside {@link
 * Calibration}, the event loop alone beside a bare heap, and how both grow. {@code script/bench}
 * builds and runs it at the root of the repository.
 */
@Command(
    name = "script/bench",
    description = "Measures whole runs.",
    mixinStandardHelpOptions = true)
public final class WholeRun implements Callable<Integer> {
  private static final int WARM_UP_JOBS = 20_000;
  private static final List<Integer> QUICK = List.of(20_000, 100_000);
  private static final List<Integer> ALL = List.of(20_000, 100_000, 1_000_000);
  private static final List<String> POLICIES = List.of("fifo", "easy", "las", "srtf");

  @Option(names = "--quick", description = "20,000 and 100,000 jobs only")
  boolean quick;

  @Option(names = "--jobs", split = ",", paramLabel = "N", description = "numbers of jobs")
  List<Integer> jobs = new ArrayList<>();

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      description = "policies (default: ${DEFAULT-VALUE})")
  List<String> policies = POLICIES;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      description = "runs of each, beside as many of the kernel (default: ${DEFAULT-VALUE})")
  int pairs = Spread.FEWEST;

  @Option(
      names = "--times",
      paramLabel = "X",
      description = "how many times its limit a value may be (default: ${DEFAULT-VALUE})")
  double times = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "write all values to a file")
  @Nullable Path json;

  @Option(names = "--gate", description = "exit with 1 if a value is above its range for certain")
  boolean gate;

  @Option(names = "--ranges", paramLabel = "FILE", description = "default: ${DEFAULT-VALUE}")
  Path ranges = Path.of("bench", "ranges.yaml");

  public static void main(String[] args) {
    CommandLine line = new CommandLine(new WholeRun());
    line.setExecutionExceptionHandler((e, _, _) -> {
      System.err.println("script/bench: " + e.getMessage());
      return 2;
    });
    System.exit(line.execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Ranges allowed = Ranges.read(ranges);
    Path root = Path.of("");
    if (!Files.isExecutable(root.resolve("ringmaster"))) {
      throw new BadInput("no launcher here; run this at the root of the repository");
    }
    double loadBefore = load();
    List<Measure> measures = measure(root);
    List<String> broken = allowed.broken(measures, times);
    List<String> doubtful = allowed.doubtful(measures, times);
    Report report = new Report(loadBefore, load(), measures, broken, doubtful);
    System.out.print(report.table());
    if (json != null) {
      Files.writeString(json, report.json());
    }
    return judge(broken, doubtful, allowed.unmeasured(measures)) || !gate ? 0 : 1;
  }

  private List<Measure> measure(Path root) throws IOException {
    List<Integer> sizes = jobs.isEmpty() ? quick ? QUICK : ALL : jobs.stream().sorted().toList();
    Path folder = root.resolve("bench/target/whole-run");
    List<Measure> measures = new ArrayList<>();
    Set<String> tooSlow = new HashSet<>();
    Generated small = Workloads.overloaded(WARM_UP_JOBS);
    policies.forEach(policy -> Loop.warmUp(small, policy));
    for (int size : sizes) {
      Generated workload = Workloads.overloaded(size);
      EndToEnd.delete(folder);
      Files.createDirectories(folder);
      JobsFile.write(folder.resolve("jobs.csv"), workload.jobs());
      ClusterFile.write(folder.resolve("cluster.yaml"), workload.cluster());
      for (String policy : policies) {
        System.err.println(String.format(Locale.ROOT, "%,d jobs, %s...", size, policy));
        Optional<List<EndToEnd>> whole =
            tooSlow.contains(policy)
                ? Optional.empty()
                : EndToEnd.pairs(root, folder, policy, pairs);
        if (whole.isPresent()) {
          measures.addAll(
              Measure.of(size, policy, whole.get(), loop(workload, policy, whole.get())));
        } else {
          tooSlow.add(policy);
          measures.addAll(Measure.givenUp(size, policy));
        }
      }
    }
    EndToEnd.delete(folder);
    if (sizes.size() > 1) {
      // The last step only: below it the JVM's start is much of the time.
      int last = sizes.size() - 1;
      measures.addAll(Measure.growth(measures, sizes.get(last - 1), sizes.get(last)));
    }
    return measures;
  }

  private Loop loop(Generated workload, String policy, List<EndToEnd> whole) {
    Loop loop = Loop.measure(workload, policy, pairs);
    long events = whole.getFirst().events();
    if (events != loop.events()) {
      throw new IllegalStateException(
          "%s: the launcher's run has %d events, the loop's %d: they are not the same run"
              .formatted(policy, events, loop.events()));
    }
    return loop;
  }

  /** Says what is out of range. A range of what is always measured, and now was not, is a slip. */
  private boolean judge(List<String> broken, List<String> doubtful, List<Ranges.Range> unmeasured) {
    boolean partial = quick || !jobs.isEmpty() || !policies.equals(POLICIES);
    System.out.println();
    broken.forEach(line -> System.out.println("Broken: " + line));
    doubtful.forEach(line -> System.out.println("Perhaps broken, measure again: " + line));
    if (broken.isEmpty()) {
      System.out.println("No value is above its range for certain.");
    }
    if (partial) {
      System.out.println("Ranges that nothing was measured for: " + unmeasured.size());
    } else {
      unmeasured.forEach(range -> System.out.println("Not measured: " + range));
    }
    return broken.isEmpty() && (partial || unmeasured.isEmpty());
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
