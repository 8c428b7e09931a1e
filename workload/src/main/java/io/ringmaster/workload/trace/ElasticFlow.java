package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * The workloads of ElasticFlow's simulator, {@code traces_for_ElasticFlow/*.csv} of
 * pkusys/ElasticFlow. Times are seconds. Deadlines and batch sizes are left out.
 */
final class ElasticFlow implements TraceFormat {
  @Override
  public String name() {
    return "elasticflow";
  }

  @Override
  public String summary() {
    return "The workloads of ElasticFlow (CSV: job_id, submit_time, model_name, ddl, num_gpu,"
        + " duration, ...).";
  }

  @Override
  public String source() {
    return "Gu et al., ElasticFlow: An Elastic Serverless Training Platform for Distributed Deep"
        + " Learning, ASPLOS 2023; pkusys/ElasticFlow";
  }

  @Override
  public void read(List<Path> files, Settings settings, TraceSink out) {
    List<String> columns =
        List.of("job_id", "submit_time", "model_name", "ddl", "num_gpu", "duration");
    for (Path file : files) {
      Rows.csv(
          file,
          out,
          columns,
          row ->
              out.keep(
                  TraceJob.of(
                          row.id("job_id"),
                          row.number("submit_time"),
                          row.gpus("num_gpu"),
                          row.number("duration"))
                      .training(row.text("model_name"))));
    }
  }
}
