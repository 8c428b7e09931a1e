package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * The job log of Microsoft's Philly clusters as published: {@code cluster_job_log} of
 * msr-fiddle/philly-traces, described in its README.
 *
 * <p>A job may have been started several times. It counts as one job of as many GPUs as its largest
 * attempt had, and so long that its GPU time is that of all attempts together. The time between
 * attempts is left out: a replay has waits of its own.
 */
final class PhillyLog {
  private static final List<String> MACHINES = List.of("machine", "gpus", "memory");

  static final TraceFormat FORMAT =
      new TraceFormat(
          "philly",
          "Microsoft's Philly clusters, 2017: cluster_job_log (JSON), and cluster_machine_list if"
              + " given.",
          "Jeon et al., Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training"
              + " Workloads, USENIX ATC 2019; msr-fiddle/philly-traces",
          PhillyLog::read);

  private PhillyLog() {}

  private static void read(List<Path> files, Settings settings, TraceSink out) {
    for (Path file : files) {
      if (file.getFileName().toString().startsWith("cluster_machine_list")) {
        Rows.headless(file, out, MACHINES, row -> machine(row, out));
      } else {
        JsonItems.open(
            file,
            out::progress,
            text -> {
              JsonItems.each(file, text, (job, line) -> job(job, file, line, settings, out));
              return file;
            });
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

  private static void job(JsonItems job, Path file, long line, Settings settings, TraceSink out) {
    out.row(file, line);
    try {
      out.keep(job(job, settings, out));
    } catch (Unusable e) {
      out.drop(e.reason());
    }
  }

  private static TraceJob job(JsonItems job, Settings settings, TraceSink out) {
    List<JsonItems> attempts = job.objects("attempts");
    attempts.forEach(attempt -> servers(attempt, out));
    TraceJobs.requireEnd(settings, job.text("status").equals("Pass"));
    double submitted = time(job, "submitted_time");
    double started = Double.POSITIVE_INFINITY;
    double ended = Double.NEGATIVE_INFINITY;
    double gpuSeconds = 0;
    int gpus = 0;
    for (int i = 0; i < attempts.size(); i++) {
      JsonItems attempt = attempts.get(i);
      double start = time(attempt, "start_time");
      double end = time(attempt, "end_time");
      if (end < start) {
        throw new Unusable("an attempt ended before it started");
      }
      if (end >= start) {
        int here = attempt.objects("detail").stream().mapToInt(d -> d.texts("gpus").size()).sum();
        started = Math.min(started, start);
        ended = Math.max(ended, end);
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
    return TraceJob.of(job.text("jobid"), submitted, gpus, gpuSeconds / Math.max(1, gpus))
        .waited(waited, ended - started)
        .by(job.text("user"), job.text("vc"));
  }

  /** The log has Python's {@code None} for a time that is not known. */
  private static double time(JsonItems from, String name) {
    String text = from.text(name);
    return Times.seconds(text.equals("None") ? "" : text);
  }

  /** The GPUs are called gpu0, gpu1, ...: the greatest number tells how many there are. */
  private static void servers(JsonItems attempt, TraceSink out) {
    for (JsonItems server : attempt.objects("detail")) {
      List<String> gpus = server.texts("gpus");
      int most =
          gpus.stream()
              .filter(name -> name.matches("gpu\\d{1,4}"))
              .mapToInt(name -> Integer.parseInt(name.substring(3)) + 1)
              .max()
              .orElse(0);
      String name = server.text("ip");
      if (!name.isEmpty()) {
        out.server(name, Math.max(most, gpus.size()));
      }
    }
  }
}
