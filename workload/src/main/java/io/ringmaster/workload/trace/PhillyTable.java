package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * Philly's jobs as a table with one row each, as the authors of Pollux derived it from the log:
 * {@code simulator/traces/philly.csv} of petuum/adaptdl.
 *
 * <p>It names no jobs and no users: the rows are numbered, and a virtual cluster counts as a user.
 */
final class PhillyTable implements TraceFormat {
  @Override
  public String name() {
    return "philly-csv";
  }

  @Override
  public String summary() {
    return "Philly's jobs as the table that came with Pollux (CSV: timestamp, duration, num_gpus,"
        + " gpu_time, cluster).";
  }

  @Override
  public String source() {
    return "Qiao et al., Pollux: Co-adaptive Cluster Scheduling for Goodput-Optimized Deep"
        + " Learning, OSDI 2021; petuum/adaptdl";
  }

  @Override
  public void read(List<Path> files, Settings settings, TraceSink out) {
    Numbering ids = new Numbering("j");
    for (Path file : files) {
      Rows.csv(
          file,
          out,
          List.of("timestamp", "duration", "num_gpus", "cluster"),
          row -> {
            String id = ids.next();
            out.keep(
                TraceJob.of(id, row.time("timestamp"), row.gpus("num_gpus"), row.number("duration"))
                    .by(row.text("cluster"), ""));
          });
    }
  }
}
