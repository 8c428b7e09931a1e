package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * The job logs of SenseTime's and the Shanghai AI Laboratory's clusters. Both come from Slurm and
 * from like tools, and have the same columns but for what tells kinds of jobs apart.
 *
 * <p>Lengths and waits are taken from the three times: in the log of Kalos, the column {@code
 * duration} counts from the submission.
 */
final class DatacenterLog implements TraceFormat {
  private static final double BYTES_PER_GIGABYTE = 1e9;

  private final String name;
  private final String summary;
  private final String source;
  private final String group;

  private DatacenterLog(String name, String summary, String source, String group) {
    this.name = name;
    this.summary = summary;
    this.source = source;
    this.group = group;
  }

  /** Helios: {@code cluster_log.csv}; a job's group is its virtual cluster. */
  static DatacenterLog helios() {
    return new DatacenterLog(
        "helios",
        "SenseTime's Helios clusters, 2020: cluster_log.csv of Earth, Saturn, Uranus or Venus.",
        "Hu et al., Characterization and Prediction of Deep Learning Workloads in Large-Scale GPU"
            + " Datacenters, SC 2021; S-Lab-System-Group/HeliosData",
        "vc");
  }

  /** Acme: {@code trace_seren.csv} and {@code trace_kalos.csv}; a group is a type of work. */
  static DatacenterLog acme() {
    return new DatacenterLog(
        "acme",
        "The Shanghai AI Laboratory's Acme clusters, 2023: trace_seren.csv or trace_kalos.csv.",
        "Hu et al., Characterization of Large Language Model Development in the Datacenter, NSDI"
            + " 2024; InternLM/AcmeTrace",
        "type");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String summary() {
    return summary;
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public void read(List<Path> files, Settings settings, TraceSink out) {
    List<String> columns =
        List.of(
            "job_id", "user", group, "gpu_num", "state", "submit_time", "start_time", "end_time");
    for (Path file : files) {
      if (Rows.first(file).contains("running_job_num")) {
        throw new BadInput(
            "%s: it counts the jobs of each minute and tells of none; import reads cluster_log.csv"
                .formatted(file));
      }
      Rows.csv(file, out, columns, row -> job(row, settings, out));
    }
  }

  private void job(Row row, Settings settings, TraceSink out) {
    int gpus = row.gpus("gpu_num");
    if (row.text("start_time").isEmpty()) {
      throw new Unusable("never started");
    }
    TraceJobs.requireEnd(settings, row.text("state").equals("COMPLETED"));
    double cpus = row.numberIfAny("cpu_num");
    double memory = row.numberIfAny("mem_per_pod_GB") * row.numberIfAny("node_num");
    out.keep(
        TraceJob.of(
                row.id("job_id"),
                row.time("submit_time"),
                gpus,
                row.between("start_time", "end_time"))
            .waited(row.between("submit_time", "start_time"))
            .by(row.text("user"), row.text(group))
            .taking(cpus / gpus, memory * BYTES_PER_GIGABYTE / gpus));
  }
}
