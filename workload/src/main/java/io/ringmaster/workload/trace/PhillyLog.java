package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The job log of Microsoft's Philly clusters as published: {@code cluster_job_log} of
 * msr-fiddle/philly-traces, described in its README.
 *
 * <p>A job may have been started several times. It counts as one job of as many GPUs as its largest
 * attempt had, and so long that its GPU time is that of all attempts together. The time between
 * attempts is left out: a replay has waits of its own.
 */
final class PhillyLog implements TraceFormat {
  private static final List<String> MACHINES = List.of("machine", "gpus", "memory");

  @Override
  public String name() {
    return "philly";
  }

  @Override
  public String summary() {
    return "Microsoft's Philly clusters, 2017: cluster_job_log (JSON), and cluster_machine_list if"
        + " given.";
  }

  @Override
  public String source() {
    return "Jeon et al., Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training"
        + " Workloads, USENIX ATC 2019; msr-fiddle/philly-traces";
  }

  @Override
  public void read(List<Path> files, Settings settings, TraceSink out) {
    for (Path file : files) {
      if (file.getFileName().toString().startsWith("cluster_machine_list")) {
        Rows.headless(file, out, MACHINES, row -> machine(row, out));
      } else {
        JsonRecords.each(file, out, job -> job(job, settings, out));
      }
    }
  }

  private static void machine(Row row, TraceSink out) {
    if (row.text("machine").startsWith("machineId")) {
      out.part("a header");
      return;
    }
    out.server(row.id("machine"), (int) row.number("gpus"));
    out.part("a server");
  }

  private static void job(Map<String, @Nullable Object> job, Settings settings, TraceSink out) {
    List<?> attempts = JsonRecords.list(job.get("attempts"));
    attempts.forEach(attempt -> servers(JsonRecords.map(attempt), out));
    TraceJobs.requireEnd(settings, JsonRecords.text(job.get("status")).equals("Pass"));
    double submitted = Times.seconds(JsonRecords.text(job.get("submitted_time")));
    double started = Double.POSITIVE_INFINITY;
    double gpuSeconds = 0;
    int gpus = 0;
    for (int i = 0; i < attempts.size(); i++) {
      Map<String, @Nullable Object> attempt = JsonRecords.map(attempts.get(i));
      double start = Times.seconds(JsonRecords.text(attempt.get("start_time")));
      double end = Times.seconds(JsonRecords.text(attempt.get("end_time")));
      if (end < start) {
        throw new Unusable("an attempt ended before it started");
      }
      if (end >= start) {
        int here = gpus(attempt);
        started = Math.min(started, start);
        gpus = Math.max(gpus, here);
        gpuSeconds += here * (end - start);
      } else if (i == attempts.size() - 1 && start > 0) {
        throw new Unusable("was still running at the end of the trace");
      }
    }
    if (attempts.isEmpty() || started == Double.POSITIVE_INFINITY) {
      throw new Unusable("never ran, or its times are missing");
    }
    double waited = started - submitted;
    if (waited < 0) {
      throw new Unusable("started before it was submitted");
    }
    out.keep(
        TraceJob.of(
                JsonRecords.text(job.get("jobid")), submitted, gpus, gpuSeconds / Math.max(1, gpus))
            .waited(waited)
            .by(JsonRecords.text(job.get("user")), JsonRecords.text(job.get("vc"))));
  }

  private static int gpus(Map<String, @Nullable Object> attempt) {
    return JsonRecords.list(attempt.get("detail")).stream()
        .mapToInt(server -> JsonRecords.list(JsonRecords.map(server).get("gpus")).size())
        .sum();
  }

  /** The GPUs are called gpu0, gpu1, ...: the greatest number tells how many there are. */
  private static void servers(Map<String, @Nullable Object> attempt, TraceSink out) {
    for (Object each : JsonRecords.list(attempt.get("detail"))) {
      Map<String, @Nullable Object> server = JsonRecords.map(each);
      List<?> gpus = JsonRecords.list(server.get("gpus"));
      int most =
          gpus.stream()
              .map(JsonRecords::text)
              .filter(name -> name.matches("gpu\\d{1,4}"))
              .mapToInt(name -> Integer.parseInt(name.substring(3)) + 1)
              .max()
              .orElse(0);
      String name = JsonRecords.text(server.get("ip"));
      if (!name.isEmpty()) {
        out.server(name, Math.max(most, gpus.size()));
      }
    }
  }
}
