package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * Alibaba's cluster-trace-gpu-v2023 ("openb"): a pod is a job. A pod that shares a GPU with others
 * counts as one with a GPU of its own. A list of nodes beside the pods gives the servers.
 */
final class OpenB implements TraceFormat {
  private static final double MILLI = 1000;
  private static final double MEBIBYTE = 1 << 20;

  @Override
  public String name() {
    return "gpu-2023";
  }

  @Override
  public String summary() {
    return "Alibaba's cluster-trace-gpu-v2023: openb_pod_list_*.csv, and openb_node_list_*.csv if"
        + " given.";
  }

  @Override
  public String source() {
    return "Weng et al., Beware of Fragmentation: Scheduling GPU-Sharing Workloads with"
        + " Fragmentation Gradient Descent, USENIX ATC 2023; alibaba/clusterdata";
  }

  @Override
  public void read(List<Path> files, Settings settings, TraceSink out) {
    List<String> columns =
        List.of("name", "num_gpu", "pod_phase", "creation_time", "deletion_time", "scheduled_time");
    for (Path file : files) {
      List<String> header = Rows.first(file);
      if (header.contains("num_gpu") && !header.contains("creation_time")) {
        throw new BadInput(
            "%s: these pods have no times, so they cannot be replayed; openb_pod_list_default has"
                .formatted(file));
      }
      if (header.contains("sn")) {
        Rows.csv(file, out, List.of("sn", "gpu"), row -> node(row, out));
      } else {
        Rows.csv(file, out, columns, row -> pod(row, settings, out));
      }
    }
  }

  private static void node(Row row, TraceSink out) {
    out.server(row.id("sn"), (int) row.number("gpu"));
    out.part("a server");
  }

  private static void pod(Row row, Settings settings, TraceSink out) {
    int gpus = row.gpus("num_gpu");
    if (row.text("scheduled_time").isEmpty()) {
      throw new Unusable("was never scheduled");
    }
    TraceJobs.requireEnd(settings, row.text("pod_phase").equals("Succeeded"));
    out.keep(
        TraceJob.of(
                row.id("name"),
                row.time("creation_time"),
                gpus,
                row.between("scheduled_time", "deletion_time"))
            .waited(row.between("creation_time", "scheduled_time"))
            .taking(
                row.numberIfAny("cpu_milli") / MILLI / gpus,
                row.numberIfAny("memory_mib") * MEBIBYTE / gpus));
  }
}
