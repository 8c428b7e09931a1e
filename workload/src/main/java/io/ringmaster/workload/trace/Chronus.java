package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * The workloads of Chronus: Philly's jobs, squeezed into two weeks and given models, in {@code
 * trace_job_Philly_*.csv} of S-Lab-System-Group/ChronusArtifact.
 *
 * <p>The unit of time is not stated there. The last job of the Philly workloads comes at 20,151:
 * two weeks have 20,160 minutes. So minutes are the default. Deadlines are left out.
 */
final class Chronus implements TraceFormat {
  private static final String UNIT = "unit";

  @Override
  public String name() {
    return "chronus";
  }

  @Override
  public String summary() {
    return "The workloads of Chronus (CSV: job_id, user, num_gpu, submit_time, model_name,"
        + " duration, ...).";
  }

  @Override
  public String source() {
    return "Gao et al., Chronus: A Novel Deadline-aware Scheduler for Deep Learning Training Jobs,"
        + " SoCC 2021; S-Lab-System-Group/ChronusArtifact";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        Parameter.choice(
            UNIT, "what times are counted in; the files do not say", "minutes", "seconds"));
  }

  @Override
  public void read(List<Path> files, Settings settings, TraceSink out) {
    double unit = settings.text(UNIT).equals("minutes") ? 60 : 1;
    List<String> columns =
        List.of("job_id", "user", "num_gpu", "submit_time", "model_name", "duration");
    for (Path file : files) {
      Rows.csv(
          file,
          out,
          columns,
          row ->
              out.keep(
                  TraceJob.of(
                          row.id("job_id"),
                          unit * row.number("submit_time"),
                          row.gpus("num_gpu"),
                          unit * row.number("duration"))
                      .by(row.text("user"), "")
                      .training(row.text("model_name"))));
    }
  }
}
