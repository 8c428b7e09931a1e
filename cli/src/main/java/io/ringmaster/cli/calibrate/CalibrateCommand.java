package io.ringmaster.cli.calibrate;

import io.ringmaster.calibration.CalibratedCluster;
import io.ringmaster.calibration.Calibration;
import io.ringmaster.calibration.LocalProcesses;
import io.ringmaster.calibration.MeasuredTurns;
import io.ringmaster.calibration.Nodes;
import io.ringmaster.calibration.ProbeRings;
import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.options.WideOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Next;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Server;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ringmaster calibrate}: how fast rings of real processes are, and a cluster file of it. */
@Command(
    name = "calibrate",
    description = {
      "Measures rings of real processes, alone and beside each other: latency, bandwidth and alpha"
          + " of a cluster file. Then measures rings that compute, and says which model is truer"
          + " for them."
    },
    mixinStandardHelpOptions = true)
public final class CalibrateCommand implements Callable<Integer> {
  private static final int MOST_PROCESSES = 64;
  private static final int MOST_INSIDE = 8;
  private static final double INTRA_BYTES_PER_SECOND = 300e9 / 8;
  private static final double MOST_SECONDS = 86_400;
  private static final SlurmCommands COMMANDS = new SlurmCommands(Duration.ofSeconds(60));

  @Option(
      names = "--rings",
      paramLabel = "K",
      description = "most rings at once (default: ${DEFAULT-VALUE})")
  int rings = 3;

  @Option(
      names = "--workers",
      paramLabel = "W",
      description =
          "processes of each ring, one on each node (default: 2; in a Slurm allocation its nodes)")
  @Nullable Integer workers;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "time to measure, without warming up (default: ${DEFAULT-VALUE})")
  double seconds = 20;

  @Option(names = "--seed", paramLabel = "N", description = "of order and phases (default: 1)")
  long seed = 1;

  @Option(names = "--no-check", description = "leave out the rings that compute")
  boolean noCheck;

  @Option(
      names = "--turns",
      description =
          "instead measure rings that compute, free and held to turns, beside what the network"
              + " model shifted says of them")
  boolean turns;

  @Option(
      names = "--inside",
      description =
          "also measure rings within a node, and write intra: for jobs that use TCP there too")
  boolean inside;

  @Option(
      names = "--launch",
      paramLabel = "PREFIX",
      description = "put before each command; {node} is 1 to W, as in 'ssh gpu{node}'")
  String launch = LocalProcesses.HERE.launch();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "where processes on a node are reached, with {node} as above (default: 127.0.0.1;"
              + " in a Slurm allocation what Slurm says)")
  @Nullable String host;

  @Option(
      names = "--cluster",
      paramLabel = "FILE",
      description = "cluster (YAML) to write with what was measured")
  @Nullable Path cluster;

  @Option(names = "--out", paramLabel = "FILE", description = "cluster file to write")
  @Nullable Path out;

  @Option(names = "--force", description = "replace the file if it exists")
  boolean force;

  @Mixin JsonOption json = new JsonOption();

  @Mixin WideOption wide = new WideOption();

  @Override
  public Integer call() {
    SlurmNodes allocated =
        launch.isBlank() ? SlurmNodes.here(System.getenv(), host, COMMANDS) : null;
    int size = workers != null ? workers : allocated != null ? allocated.size() : 2;
    check(size, allocated);
    Nodes nodes =
        allocated != null
            ? allocated
            : new LocalProcesses(launch, host == null ? LocalProcesses.HERE.host() : host);
    if (turns) {
      return turns(nodes, size);
    }
    Cluster given =
        cluster != null
            ? ClusterFile.read(cluster)
            : allocated != null ? allocated.cluster(rings) : null;
    boolean here = launch.isBlank() && allocated == null;
    Calibration.Plan plan =
        new Calibration.Plan(
            rings,
            size,
            inside ? workersInside(given, size) : 0,
            here ? Double.NaN : INTRA_BYTES_PER_SECOND,
            seconds,
            !noCheck,
            seed);
    Calibration found;
    try (ProbeRings probes = ProbeRings.start(nodes, size, plan.each());
        Progress progress = new Progress("calibrate", plan.runs())) {
      found = Calibration.measure(probes, plan, progress::at);
    }
    Cluster calibrated = CalibratedCluster.of(found, plan, given);
    CalibratedFile file = CalibratedFile.of(calibrated, found, plan);
    if (out != null) {
      AtomicFile.write(out, file.text());
    }
    System.out.print(
        json.given
            ? Json.document(CalibrationReport.document(found, plan, file))
            : CalibrationText.of(found, plan, file, out, wide.columns()));
    if (out != null && !json.given) {
      System.err.println("Next: ringmaster compare JOBS --cluster " + Next.path(out));
    }
    return ExitStatus.OK;
  }

  private int turns(Nodes nodes, int size) {
    MeasuredTurns found;
    try (ProbeRings probes = ProbeRings.start(nodes, size, rings);
        Progress progress = new Progress("calibrate", MeasuredTurns.runs(rings))) {
      found = MeasuredTurns.measure(probes, rings, size, seconds, seed, progress::at);
    }
    System.out.print(json.given ? TurnsText.json(found) : TurnsText.of(found, wide.columns()));
    return ExitStatus.OK;
  }

  /** Of a ring within a node: as many as the smallest has GPUs. */
  private int workersInside(@Nullable Cluster given, int size) {
    int gpus =
        given == null ? rings : given.servers().stream().mapToInt(Server::gpus).min().getAsInt();
    if (gpus < 2) {
      throw new BadInput("--inside: a server has one GPU only; a ring needs two on each");
    }
    return Math.min(Math.min(gpus, MOST_INSIDE), MOST_PROCESSES / size);
  }

  private void check(int size, @Nullable SlurmNodes allocated) {
    range("--rings", rings, 1, 16);
    range("--workers", size, 2, 16);
    if (allocated != null && size > allocated.size()) {
      throw new BadInput(
          "--workers: %d are more than the %d nodes of job %s; expected at most one on each"
              .formatted(size, allocated.size(), allocated.job()));
    }
    if (turns && (inside || noCheck || cluster != null || out != null)) {
      throw new BadInput(
          "--turns: measures no cluster file; leave out --inside, --no-check, --cluster and --out");
    }
    if (turns && rings < 2) {
      throw new BadInput("--turns: one ring takes no turns; expected --rings of at least 2");
    }
    if (rings * size > MOST_PROCESSES) {
      throw new BadInput(
          "calibrate: %d rings of %d workers are %d processes; expected at most %d"
              .formatted(rings, size, rings * size, MOST_PROCESSES));
    }
    if (!(seconds >= 1 && seconds <= MOST_SECONDS)) {
      throw new BadInput("--seconds: %s is not a number from 1 to 86400".formatted(seconds));
    }
    if (out != null && !force && Files.isRegularFile(out)) {
      throw new BadInput(
          "--out %s: exists; name another file, or replace it with --force".formatted(out));
    }
    if (out != null && Files.isDirectory(out)) {
      throw new BadInput("--out %s: is a folder; name a file in it".formatted(out));
    }
  }

  private static void range(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new BadInput(
          "%s: %d is not a whole number from %d to %d".formatted(option, value, least, most));
    }
  }
}
