package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * Alibaba's cluster-trace-gpu-v2025: instances of recommendation services whose GPUs are apart from
 * their CPUs. An instance with a GPU is a job, and its application the group. Times that the trace
 * cuts off at its beginning or end are missing, and such instances are dropped.
 */
final class Disaggregated implements TraceFormat {
  private static final double GIBIBYTE = 1 << 30;

  @Override
  public String name() {
    return "gpu-2025";
  }

  @Override
  public String summary() {
    return "Alibaba's cluster-trace-gpu-v2025: disaggregated_DLRM_trace.csv.";
  }

  @Override
  public String source() {
    return "Yang et al., GPU-Disaggregated Serving for Deep Learning Recommendation Models at"
        + " Scale, NSDI 2025; alibaba/clusterdata";
  }

  @Override
  public void read(List<Path> files, Settings settings, TraceSink out) {
    List<String> columns =
        List.of(
            "instance_sn",
            "app_name",
            "gpu_request",
            "creation_time",
            "scheduled_time",
            "deletion_time");
    for (Path file : files) {
      Rows.csv(file, out, columns, row -> instance(row, out));
    }
  }

  private static void instance(Row row, TraceSink out) {
    int gpus = row.gpus("gpu_request");
    if (row.text("creation_time").isEmpty() || row.text("scheduled_time").isEmpty()) {
      throw new Unusable("was there before the trace began");
    }
    if (row.text("deletion_time").isEmpty()) {
      throw new Unusable("was still running at the end of the trace");
    }
    out.keep(
        TraceJob.of(
                row.id("instance_sn"),
                row.time("creation_time"),
                gpus,
                row.between("scheduled_time", "deletion_time"))
            .waited(row.between("creation_time", "scheduled_time"))
            .by("", row.text("app_name"))
            .taking(
                row.numberIfAny("cpu_request") / gpus,
                row.numberIfAny("memory_request") * GIBIBYTE / gpus));
  }
}
