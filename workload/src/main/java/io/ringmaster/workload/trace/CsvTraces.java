package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The traces that are one CSV table with a header, in which a row is a job. */
final class CsvTraces {
  private static final double GIGABYTE = 1e9;
  private static final double GIBIBYTE = 1 << 30;
  private static final double MEBIBYTE = 1 << 20;
  private static final double MILLI = 1000;
  private static final String UNIT = "unit";
  private static final Set<String> UNDER_WAY = Set.of("PENDING", "PROCESSING");
  private static final String STILL_RUNNING = "was still running at the end of the trace";

  private CsvTraces() {}

  /**
   * Philly's jobs as the authors of Pollux derived them from the log: {@code
   * simulator/traces/philly.csv} of petuum/adaptdl. It names no jobs and no users: the rows are
   * numbered, and a virtual cluster counts as a user.
   */
  static final TraceFormat PHILLY =
      new TraceFormat(
          "philly-csv",
          "Philly's jobs as the table that came with Pollux (CSV: timestamp, duration, num_gpus,"
              + " gpu_time, cluster).",
          "Qiao et al., Pollux: Co-adaptive Cluster Scheduling for Goodput-Optimized Deep"
              + " Learning, OSDI 2021; petuum/adaptdl",
          numbered(
              "j",
              List.of("timestamp", "duration", "num_gpus", "cluster"),
              (id, row, _) ->
                  TraceJob.of(
                          id, row.time("timestamp"), row.gpus("num_gpus"), row.number("duration"))
                      .by(row.text("cluster"), "")));

  /**
   * Philly's jobs, squeezed into two weeks and given models, in {@code trace_job_Philly_*.csv}.
   *
   * <p>The unit of time is not stated there. The last job of the Philly workloads comes at 20,151:
   * two weeks have 20,160 minutes. So minutes are the default. Deadlines are left out.
   */
  static final TraceFormat CHRONUS =
      new TraceFormat(
              "chronus",
              "The workloads of Chronus (CSV: job_id, user, num_gpu, submit_time, model_name,"
                  + " duration, ...).",
              "Gao et al., Chronus: A Novel Deadline-aware Scheduler for Deep Learning Training"
                  + " Jobs, SoCC 2021; S-Lab-System-Group/ChronusArtifact",
              TraceFormat.csv(
                  List.of("job_id", "user", "num_gpu", "submit_time", "model_name", "duration"),
                  (row, settings) ->
                      training(row, settings.text(UNIT).equals("minutes") ? 60 : 1)
                          .by(row.text("user"), "")))
          .with(
              Parameter.choice(UNIT, "minutes", "seconds")
                  .saying("what times are counted in; the files do not say"));

  /**
   * The workloads of ElasticFlow's simulator, {@code traces_for_ElasticFlow/*.csv}. Times are
   * seconds. Deadlines and batch sizes are left out.
   */
  static final TraceFormat ELASTIC_FLOW =
      new TraceFormat(
          "elasticflow",
          "The workloads of ElasticFlow (CSV: job_id, submit_time, model_name, ddl, num_gpu,"
              + " duration, ...).",
          "Gu et al., ElasticFlow: An Elastic Serverless Training Platform for Distributed Deep"
              + " Learning, ASPLOS 2023; pkusys/ElasticFlow",
          TraceFormat.csv(
              List.of("job_id", "submit_time", "model_name", "ddl", "num_gpu", "duration"),
              (row, _) -> training(row, 1)));

  /** Helios: {@code cluster_log.csv}; a job's group is its virtual cluster. */
  static final TraceFormat HELIOS =
      new TraceFormat(
          "helios",
          "SenseTime's Helios clusters, 2020: cluster_log.csv of Earth, Saturn, Uranus or Venus.",
          "Hu et al., Characterization and Prediction of Deep Learning Workloads in Large-Scale GPU"
              + " Datacenters, SC 2021; S-Lab-System-Group/HeliosData",
          slurmLog("vc"));

  /** Acme: {@code trace_seren.csv} and {@code trace_kalos.csv}; a group is a type of work. */
  static final TraceFormat ACME =
      new TraceFormat(
          "acme",
          "The Shanghai AI Laboratory's Acme clusters, 2023: trace_seren.csv or trace_kalos.csv.",
          "Hu et al., Characterization of Large Language Model Development in the Datacenter, NSDI"
              + " 2024; InternLM/AcmeTrace",
          slurmLog("type"));

  /**
   * Alibaba's cluster-trace-gpu-v2023 ("openb"): a pod is a job. A pod that shares a GPU with
   * others counts as one with a GPU of its own. A list of nodes beside the pods gives the servers.
   */
  static final TraceFormat OPENB =
      new TraceFormat(
          "gpu-2023",
          "Alibaba's cluster-trace-gpu-v2023: openb_pod_list_*.csv, and openb_node_list_*.csv if"
              + " given.",
          "Weng et al., Beware of Fragmentation: Scheduling GPU-Sharing Workloads with"
              + " Fragmentation Gradient Descent, USENIX ATC 2023; alibaba/clusterdata",
          CsvTraces::openb);

  /**
   * Alibaba's cluster-trace-gpu-v2025: instances of recommendation services whose GPUs are apart
   * from their CPUs. An instance with a GPU is a job, and its application the group. Times that the
   * trace cuts off at its beginning or end are missing, and such instances are dropped.
   */
  static final TraceFormat DISAGGREGATED =
      new TraceFormat(
          "gpu-2025",
          "Alibaba's cluster-trace-gpu-v2025: disaggregated_DLRM_trace.csv.",
          "Yang et al., GPU-Disaggregated Serving for Deep Learning Recommendation Models at"
              + " Scale, NSDI 2025; alibaba/clusterdata",
          TraceFormat.csv(
              List.of(
                  "instance_sn",
                  "app_name",
                  "gpu_request",
                  "creation_time",
                  "scheduled_time",
                  "deletion_time"),
              (row, _) -> instance(row)));

  /**
   * Alibaba's cluster-trace-v2026-GenAI: requests to a service that makes pictures. These are no
   * trainings, but they recur: each is taken for a job of one GPU, and its {@code groupId} is the
   * group.
   */
  static final TraceFormat LORA_REQUESTS =
      new TraceFormat(
          "genai-2026",
          "Alibaba's cluster-trace-v2026-GenAI: lora_request_trace.csv; a request is a job of one"
              + " GPU.",
          "Lin et al., Understanding Diffusion Model Serving in Production, SoCC 2025;"
              + " alibaba/clusterdata",
          numbered(
              "r",
              List.of("gmt_create", "predict_status", "exec_time_seconds", "groupId"),
              CsvTraces::request));

  /** Makes a job of a row that has no id. */
  private interface NumberedReader {
    TraceJob job(String id, Row row, Settings settings);
  }

  /** Ids are a letter and the row's number over all files, dropped rows counted too. */
  private static TraceFormat.Reader numbered(
      String letter, List<String> columns, NumberedReader reader) {
    return (files, settings, out) -> {
      Numbering ids = new Numbering(letter);
      TraceFormat.csv(columns, (row, given) -> reader.job(ids.next(), row, given))
          .read(files, settings, out);
    };
  }

  private static TraceJob training(Row row, double unit) {
    return TraceJob.of(
            row.id("job_id"),
            unit * row.number("submit_time"),
            row.gpus("num_gpu"),
            unit * row.number("duration"))
        .training(row.text("model_name"));
  }

  /**
   * The job logs of SenseTime's and the Shanghai AI Laboratory's clusters. Both come from Slurm and
   * from like tools, and have the same columns but for what tells kinds of jobs apart.
   *
   * <p>Lengths and waits are taken from the three times: in the log of Kalos, the column {@code
   * duration} counts from the submission.
   */
  private static TraceFormat.Reader slurmLog(String group) {
    List<String> columns =
        List.of(
            "job_id", "user", group, "gpu_num", "state", "submit_time", "start_time", "end_time");
    return (files, settings, out) -> {
      for (Path file : files) {
        if (Rows.first(file).contains("running_job_num")) {
          throw new BadInput(
              file
                  + ": it counts the jobs of each minute and tells of none; import reads"
                  + " cluster_log.csv");
        }
        Rows.csv(file, out, columns, row -> out.keep(slurmJob(row, group, settings)));
      }
    };
  }

  private static TraceJob slurmJob(Row row, String group, Settings settings) {
    int gpus = row.gpus("gpu_num");
    if (row.text("start_time").isEmpty()) {
      throw new Unusable("never started");
    }
    TraceJobs.requireEnd(settings, row.text("state").equals("COMPLETED"));
    double cpus = row.numberIfAny("cpu_num");
    double memory = row.numberIfAny("mem_per_pod_GB") * row.numberIfAny("node_num");
    return timed(row, "job_id", gpus, "submit_time", "start_time", "end_time")
        .by(row.text("user"), row.text(group))
        .taking(cpus / gpus, memory * GIGABYTE / gpus);
  }

  /** A job by the times at which it was submitted, started and ended. */
  private static TraceJob timed(
      Row row, String id, int gpus, String submitted, String started, String ended) {
    return TraceJob.of(row.id(id), row.time(submitted), gpus, row.between(started, ended))
        .waited(row.between(submitted, started));
  }

  private static void openb(List<Path> files, Settings settings, TraceSink out) {
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
        Rows.csv(file, out, columns, row -> out.keep(pod(row, settings)));
      }
    }
  }

  private static void node(Row row, TraceSink out) {
    out.server(row.id("sn"), (int) row.number("gpu"));
    out.part("a server");
  }

  private static TraceJob pod(Row row, Settings settings) {
    int gpus = row.gpus("num_gpu");
    if (row.text("scheduled_time").isEmpty()) {
      throw new Unusable("was never scheduled");
    }
    TraceJobs.requireEnd(settings, row.text("pod_phase").equals("Succeeded"));
    return timed(row, "name", gpus, "creation_time", "scheduled_time", "deletion_time")
        .taking(
            row.numberIfAny("cpu_milli") / MILLI / gpus,
            row.numberIfAny("memory_mib") * MEBIBYTE / gpus);
  }

  private static TraceJob instance(Row row) {
    int gpus = row.gpus("gpu_request");
    if (row.text("creation_time").isEmpty() || row.text("scheduled_time").isEmpty()) {
      throw new Unusable("was there before the trace began");
    }
    if (row.text("deletion_time").isEmpty()) {
      throw new Unusable(STILL_RUNNING);
    }
    return timed(row, "instance_sn", gpus, "creation_time", "scheduled_time", "deletion_time")
        .by("", row.text("app_name"))
        .taking(
            row.numberIfAny("cpu_request") / gpus,
            row.numberIfAny("memory_request") * GIBIBYTE / gpus);
  }

  private static TraceJob request(String id, Row row, Settings settings) {
    String status = row.text("predict_status");
    if (UNDER_WAY.contains(status)) {
      throw new Unusable(STILL_RUNNING);
    }
    TraceJobs.requireEnd(settings, status.equals("SUCCEED"));
    return TraceJob.of(id, row.time("gmt_create"), 1, row.number("exec_time_seconds"))
        .by("", row.text("groupId"));
  }
}
