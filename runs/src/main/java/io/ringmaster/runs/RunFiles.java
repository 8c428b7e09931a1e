package io.ringmaster.runs;

import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.simulator.Mishap;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.CsvOutput;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.ModelsFile;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files of one run. Segments are written while it runs, in the order in which they end, so that
 * a long history need not be kept in memory.
 */
public final class RunFiles implements RunObserver, AutoCloseable {
  public static final String SUMMARY = "summary.json";
  public static final String JOBS = "jobs.csv";
  public static final String SEGMENTS = "segments.csv";
  static final String LEARNING_RATES = "learning_rates.csv";
  static final String FAILURES = "failures.csv";
  public static final String CLUSTER = "cluster.yaml";
  static final String MODELS = "model.csv";
  static final String WORKLOAD = "workload.csv";
  public static final String RUN = "run.json";

  static final List<String> JOBS_COLUMNS =
      List.of(
          "job_id",
          "submit_s",
          "start_s",
          "finish_s",
          "jct_s",
          "wait_s",
          "gpus",
          "restarts",
          "slowdown");
  static final List<String> SEGMENTS_COLUMNS =
      List.of("job_id", "start_s", "end_s", "warmup_s", "server", "gpus");

  /** Replicas of each stage on the server; behind the others, where jobs are cut into stages. */
  static final String REPLICAS = "replicas";

  static final List<String> FAILURES_COLUMNS = List.of("at_s", "kind", "name", "back_s");

  private static final List<String> LEARNING_RATES_COLUMNS =
      List.of("job_id", "start_s", "gpus", "factor");

  private final Path folder;
  private final RunInputs inputs;
  private final IterationTime iterationTime;
  private final RunObserver next;
  private final CsvOutput segmentsFile;
  private final Segments segments;

  /** Only a policy that scales learning rates has the file. */
  private @Nullable CsvOutput learningRates;

  private final byte[][] serverNames;

  /** Opens the files; what happens is passed on to another observer. */
  private RunFiles(Path folder, RunInputs inputs, RunObserver next) {
    this.folder = folder;
    this.inputs = inputs;
    this.iterationTime = IterationTime.of(inputs.cluster());
    this.next = next;
    // Most jobs have one stretch on one server.
    this.segments = new Segments(inputs.jobs().size() / 4 * 5 + 64);
    this.serverNames =
        inputs.cluster().servers().stream()
            .map(s -> s.name().getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    this.segmentsFile = CsvOutput.create(folder.resolve(SEGMENTS));
    segmentsFile.header(segmentsColumns(inputs.jobs()).toArray(String[]::new));
  }

  /**
   * Runs to the end of the last job, and writes the files.
   *
   * @param folder made if it is not there
   * @param validate whether the schedule is checked before it is summed up
   */
  public static Written write(
      Path folder, Run run, RunInputs inputs, boolean validate, RunObserver next) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + folder + ": " + AtomicFile.reason(e), e);
    }
    try (RunFiles files = new RunFiles(folder, inputs, next)) {
      RunResult result = run.simulate(inputs, files);
      if (validate) {
        ValidatedRun.checked(run.spec().name(), inputs, files.segments, result);
      }
      CompletedRun done = CompletedRun.of(run, inputs, result);
      files.finish(done);
      return new Written(done, files.segments);
    }
  }

  /** A run that was written, with its rows still in memory. */
  public record Written(CompletedRun run, Segments segments) {}

  static List<String> segmentsColumns(Jobs jobs) {
    List<String> columns = new ArrayList<>(SEGMENTS_COLUMNS);
    if (jobs.anyStaged()) {
      columns.add(REPLICAS);
    }
    return columns;
  }

  @Override
  public void segment(
      int job, double startSeconds, double endSeconds, double warmupSeconds, Placement placement) {
    Jobs jobs = inputs.jobs();
    Placement told =
        jobs.anyStaged() ? iterationTime.mapped(jobs.profile(job), placement) : placement;
    for (int i = 0; i < placement.size(); i++) {
      byte[] server = serverNames[placement.server(i)];
      segmentsFile
          .bytes(jobs.idBytes(), jobs.idFrom(job), jobs.idTo(job))
          .decimal(startSeconds)
          .decimal(endSeconds)
          .decimal(warmupSeconds)
          .bytes(server, 0, server.length)
          .whole(placement.gpus(i));
      if (jobs.anyStaged()) {
        segmentsFile.text(
            Arrays.stream(told.replicas(i))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining("+")));
      }
      segmentsFile.endRow();
    }
    segments.segment(job, startSeconds, endSeconds, warmupSeconds, placement);
    next.segment(job, startSeconds, endSeconds, warmupSeconds, placement);
  }

  @Override
  public void learningRate(int job, double startSeconds, int workers, double factor) {
    CsvOutput out = learningRates;
    if (out == null) {
      out = CsvOutput.create(folder.resolve(LEARNING_RATES));
      out.header(LEARNING_RATES_COLUMNS.toArray(String[]::new));
      learningRates = out;
    }
    Jobs jobs = inputs.jobs();
    out.bytes(jobs.idBytes(), jobs.idFrom(job), jobs.idTo(job))
        .decimal(startSeconds)
        .whole(workers)
        .decimal(factor)
        .endRow();
    next.learningRate(job, startSeconds, workers, factor);
  }

  @Override
  public void progress(int finished) {
    next.progress(finished);
  }

  /** Writes all but the segments, which are complete with this. */
  private void finish(CompletedRun done) {
    segmentsFile.finish();
    if (learningRates != null) {
      learningRates.finish();
    }
    writeJobs(done.result());
    if (inputs.cluster().mayFail()) {
      writeFailures(done.result().mishaps());
    }
    JobsFile.write(folder.resolve(WORKLOAD), inputs.jobs());
    ClusterFile.write(folder.resolve(CLUSTER), inputs.cluster());
    ModelsFile.write(folder.resolve(MODELS), profiles(inputs.jobs()));
    AtomicFile.write(folder.resolve(SUMMARY), Json.document(done.document()));
  }

  /** Layers only where some job cuts its model into stages. */
  private static List<ModelProfile> profiles(Jobs jobs) {
    List<ModelProfile> all = jobs.models().profiles();
    return jobs.anyStaged() ? all : all.stream().map(p -> p.layered(List.of())).toList();
  }

  private void writeFailures(List<Mishap> mishaps) {
    try (CsvOutput out = CsvOutput.create(folder.resolve(FAILURES))) {
      out.header(FAILURES_COLUMNS.toArray(String[]::new));
      for (Mishap mishap : mishaps) {
        out.decimal(mishap.atSeconds()).text(mishap.kind().word()).text(mishap.name());
        if (Double.isNaN(mishap.backSeconds())) {
          out.empty();
        } else {
          out.decimal(mishap.backSeconds());
        }
        out.endRow();
      }
      out.finish();
    }
  }

  private void writeJobs(RunResult result) {
    Jobs jobs = inputs.jobs();
    try (CsvOutput out = CsvOutput.create(folder.resolve(JOBS))) {
      out.header(JOBS_COLUMNS.toArray(String[]::new));
      for (int job = 0; job < jobs.size(); job++) {
        double jct = result.finishSeconds(job) - jobs.submitSeconds(job);
        double held = result.heldSeconds(job);
        out.bytes(jobs.idBytes(), jobs.idFrom(job), jobs.idTo(job))
            .decimal(jobs.submitSeconds(job))
            .decimal(result.startSeconds(job))
            .decimal(result.finishSeconds(job))
            .decimal(jct)
            .decimal(Math.max(0, jct - held))
            .whole(jobs.gpus(job))
            .whole(result.restarts(job))
            .decimal(held / inputs.lengths().idealSeconds(job))
            .endRow();
      }
      out.finish();
    }
  }

  @Override
  public void close() {
    segmentsFile.close();
    if (learningRates != null) {
      learningRates.close();
    }
  }
}
