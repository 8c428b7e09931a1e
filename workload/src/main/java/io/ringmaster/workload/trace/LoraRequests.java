package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Alibaba's cluster-trace-v2026-GenAI: requests to a service that makes pictures. These are no
 * trainings, but they recur: each is taken for a job of one GPU, and its {@code groupId} is the
 * group.
 */
final class LoraRequests implements TraceFormat {
  private static final Set<String> UNDER_WAY = Set.of("PENDING", "PROCESSING");

  @Override
  public String name() {
    return "genai-2026";
  }

  @Override
  public String summary() {
    return "Alibaba's cluster-trace-v2026-GenAI: lora_request_trace.csv; a request is a job of one"
        + " GPU.";
  }

  @Override
  public String source() {
    return "Lin et al., Understanding Diffusion Model Serving in Production, SoCC 2025;"
        + " alibaba/clusterdata";
  }

  @Override
  public void read(List<Path> files, Settings settings, TraceSink out) {
    Numbering ids = new Numbering("r");
    List<String> columns = List.of("gmt_create", "predict_status", "exec_time_seconds", "groupId");
    for (Path file : files) {
      Rows.csv(
          file,
          out,
          columns,
          row -> {
            String id = ids.next();
            String status = row.text("predict_status");
            if (UNDER_WAY.contains(status)) {
              throw new Unusable("was still running at the end of the trace");
            }
            TraceJobs.requireEnd(settings, status.equals("SUCCEED"));
            out.keep(
                TraceJob.of(id, row.time("gmt_create"), 1, row.number("exec_time_seconds"))
                    .by("", row.text("groupId")));
          });
    }
  }
}
