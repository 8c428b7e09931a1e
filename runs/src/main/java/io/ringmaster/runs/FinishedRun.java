package io.ringmaster.runs;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.simulator.Lengths;
import io.ringmaster.simulator.Mishap;
import io.ringmaster.simulator.Segments;
import io.ringmaster.simulator.Validator;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.Inputs;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.ModelsFile;
import io.ringmaster.workload.TableFile;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A run read back from its folder, and what can be said against it. */
public final class FinishedRun implements Validator.Outcomes {
  private static final int LONGEST_SUMMARY = 1 << 24;

  private final Path folder;
  private final Cluster cluster;
  private final Jobs jobs;
  private final Lengths lengths;
  private final Segments segments = new Segments();
  private final Map<String, Integer> jobIndexes = new HashMap<>();
  private final double[] start;
  private final double[] finish;
  private final double[] held;
  private final int[] restarts;
  private final boolean[] reported;
  private final List<Mishap> mishaps = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();

  private FinishedRun(Path folder) {
    this.folder = folder;
    Cluster read = ClusterFile.read(folder.resolve(RunFiles.CLUSTER));
    ModelTable models =
        ModelTable.standard().with(ModelsFile.read(folder.resolve(RunFiles.MODELS)));
    this.jobs = JobsFile.read(folder.resolve(RunFiles.WORKLOAD), models, read);
    this.cluster = read.counting(jobs);
    this.lengths = Lengths.of(jobs, cluster);
    int n = jobs.size();
    this.start = new double[n];
    this.finish = new double[n];
    this.held = new double[n];
    this.restarts = new int[n];
    this.reported = new boolean[n];
    for (int job = 0; job < n; job++) {
      jobIndexes.put(jobs.id(job), job);
    }
  }

  public static FinishedRun read(Path folder) {
    FinishedRun run = new FinishedRun(folder);
    run.readSegments();
    run.readJobs();
    run.readFailures();
    return run;
  }

  /** The jobs as they were handed in. */
  public Jobs workload() {
    return jobs;
  }

  public Cluster cluster() {
    return cluster;
  }

  /** Who was where, in the order of the ends. */
  public Segments segments() {
    return segments;
  }

  public int jobs() {
    return jobs.size();
  }

  public int rows() {
    return segments.size();
  }

  /** All that is wrong; empty if nothing is. */
  public List<String> check() {
    for (int job = 0; job < reported.length; job++) {
      if (!reported[job]) {
        findings.add("job " + jobs.id(job) + ": missing from " + RunFiles.JOBS);
      }
    }
    Validator.Checked checked = Validator.checked(cluster, jobs, lengths, segments, this);
    findings.addAll(checked.findings());
    checkSummary(checked.lostGpuSeconds());
    return findings;
  }

  private int job(TableFile.Row row) {
    Integer job = jobIndexes.get(row.text(0));
    if (job == null) {
      throw row.bad(0, "a job of " + RunFiles.WORKLOAD);
    }
    return job;
  }

  private void readSegments() {
    Map<String, Integer> servers = new HashMap<>();
    for (int s = 0; s < cluster.size(); s++) {
      servers.put(cluster.server(s).name(), s);
    }
    TableFile.read(
        folder.resolve(RunFiles.SEGMENTS),
        RunFiles.segmentsColumns(jobs),
        row -> {
          Integer server = servers.get(row.text(4));
          if (server == null) {
            throw row.bad(4, "a server of " + RunFiles.CLUSTER);
          }
          segments.add(
              job(row),
              row.number(1),
              row.number(2),
              row.number(3),
              server,
              row.whole(5),
              jobs.anyStaged() ? replicas(row) : new int[0]);
        });
  }

  private static int[] replicas(TableFile.Row row) {
    String text = row.text(6);
    if (!text.matches("(\\d{1,8}(\\+\\d{1,8})*)?")) {
      throw row.bad(6, "replicas of each stage such as 2+1+0");
    }
    return text.isEmpty()
        ? new int[0]
        : Arrays.stream(text.split("\\+", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private void readJobs() {
    TableFile.read(
        folder.resolve(RunFiles.JOBS),
        RunFiles.JOBS_COLUMNS,
        row -> {
          int job = job(row);
          if (reported[job]) {
            throw row.bad(0, "named once");
          }
          reported[job] = true;
          start[job] = row.number(2);
          finish[job] = row.number(3);
          held[job] = row.number(4) - row.number(5);
          restarts[job] = row.whole(7);
          expect(row.text(0), "submit_s", row.number(1), jobs.submitSeconds(job));
          expect(row.text(0), "jct_s", row.number(4), finish[job] - row.number(1));
          expect(row.text(0), "gpus", row.whole(6), jobs.gpus(job));
          expect(row.text(0), "slowdown", row.number(8), held[job] / lengths.idealSeconds(job));
        });
  }

  private void readFailures() {
    Path file = folder.resolve(RunFiles.FAILURES);
    if (!cluster.mayFail()) {
      return;
    }
    Map<String, Mishap.Kind> kinds = new HashMap<>();
    for (Mishap.Kind kind : Mishap.Kind.values()) {
      kinds.put(kind.word(), kind);
    }
    TableFile.read(
        file,
        RunFiles.FAILURES_COLUMNS,
        row -> {
          Mishap.Kind kind = kinds.get(row.text(1));
          if (kind == null) {
            throw row.bad(1, "one of " + String.join(", ", kinds.keySet()));
          }
          double back = kind == Mishap.Kind.JOB ? Double.NaN : row.number(3);
          mishaps.add(new Mishap(kind, row.text(2), row.number(0), back));
        });
  }

  private void expect(String where, String what, double said, double expected) {
    double tolerance = 1e-6 * Math.max(1, Math.abs(expected));
    if (!(Math.abs(said - expected) <= tolerance)) {
      findings.add("%s: %s is %s, expected %s".formatted(where, what, said, expected));
    }
  }

  private void checkSummary(double lostGpuSeconds) {
    Path file = folder.resolve(RunFiles.SUMMARY);
    double last = 0;
    double jct = 0;
    double holding = 0;
    long resumed = 0;
    int stopsMost = 0;
    for (int job = 0; job < jobs.size(); job++) {
      last = Math.max(last, finish[job]);
      jct += finish[job] - jobs.submitSeconds(job);
      holding += held[job];
      resumed += restarts[job];
      stopsMost = Math.max(stopsMost, restarts[job]);
    }
    double heldGpuSeconds = 0;
    for (int row = 0; row < segments.size(); row++) {
      heldGpuSeconds += (segments.end(row) - segments.start(row)) * segments.gpus(row);
    }
    int n = jobs.size();
    Map<String, Double> expected = new HashMap<>();
    expected.put("jobs", (double) n);
    expected.put("finished", (double) n);
    expected.put("makespan_s", last - jobs.submitSeconds(0));
    expected.put("jct_mean_s", jct / n);
    expected.put("wait_mean_s", (jct - holding) / n);
    expected.put("restarts", (double) resumed);
    expected.put("stops_most", (double) stopsMost);
    expected.put("lost_gpu_s", lostGpuSeconds);
    expected.put("failures", (double) Mishap.failures(mishaps));
    expected.put("goodput", (heldGpuSeconds - lostGpuSeconds) / heldGpuSeconds);
    Map<String, Double> said = numbers(file);
    expected.forEach((name, value) -> {
      Double number = said.get(name);
      if (number == null) {
        findings.add(RunFiles.SUMMARY + ": " + name + " is missing");
      } else {
        expect(RunFiles.SUMMARY, name, number, value);
      }
    });
  }

  /** The numbers at the top level of a JSON document. */
  private static Map<String, Double> numbers(Path file) {
    String text = Inputs.text(file, LONGEST_SUMMARY);
    Map<String, Double> numbers = new HashMap<>();
    try {
      if (Json.parse(text) instanceof Map<?, ?> members) {
        members.forEach((name, value) -> {
          if (value instanceof Number number) {
            numbers.put(String.valueOf(name), number.doubleValue());
          }
        });
      }
      return numbers;
    } catch (BadInput e) {
      throw new BadInput(file + ": " + e.getMessage());
    }
  }

  @Override
  public double startSeconds(int job) {
    return start[job];
  }

  @Override
  public double finishSeconds(int job) {
    return finish[job];
  }

  @Override
  public double heldSeconds(int job) {
    return held[job];
  }

  @Override
  public int restarts(int job) {
    return restarts[job];
  }

  @Override
  public List<Mishap> mishaps() {
    return mishaps;
  }
}
