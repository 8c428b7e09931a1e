package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.workload.Numbers;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Alibaba's cluster-trace-gpu-v2020 (PAI): the tables of jobs and of tasks, and if given those of
 * group tags, of instances and of machines. The published files have no header line.
 *
 * <p>A job's GPUs are those of all instances of its tasks, parts of GPUs added up and then rounded
 * up. It is submitted at its {@code start_time}, starts with its first instance, or its first task
 * if the table of instances is not given, and ends at its {@code end_time}. The group tag is the
 * group, and the workload tag the name of the model.
 */
final class Pai {
  private static final double PERCENT = 100;
  private static final double BYTES_PER_GIGABYTE = 1e9;

  /** The tables, in the order in which they must be read. */
  private enum Kind {
    MACHINES("pai_machine_spec", "machine,gpu_type,cap_cpu,cap_mem,cap_gpu"),
    TAGS("pai_group_tag_table", "inst_id,user,gpu_type_spec,group,workload"),
    TASKS(
        "pai_task_table",
        "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,"
            + "gpu_type"),
    INSTANCES(
        "pai_instance_table",
        "job_name,task_name,inst_name,worker_name,inst_id,status,start_time,end_time,machine"),
    JOBS("pai_job_table", "job_name,inst_id,user,status,start_time,end_time");

    private final String table;
    private final String header;

    Kind(String table, String header) {
      this.table = table;
      this.header = header;
    }

    List<String> columns() {
      return List.of(header.split(",", -1));
    }

    /** By the name of the file; else by the number of columns, and whether the last is a number. */
    static Kind of(Path file) {
      List<String> first = Rows.first(file);
      String name = String.valueOf(file.getFileName());
      return Stream.of(values())
          .filter(kind -> name.contains(kind.table))
          .findFirst()
          .or(() ->
              Stream.of(values())
                  .filter(kind -> !name.startsWith("pai_"))
                  .filter(kind -> first.size() == kind.columns().size())
                  .filter(kind ->
                      kind != MACHINES
                          || first.equals(MACHINES.columns())
                          || Numbers.parse(first.getLast()) >= 0)
                  .findFirst())
          .orElseThrow(() ->
              new BadInput(
                  ("%s: not a table that import reads, with %d columns; expected pai_job_table,"
                          + " pai_task_table, and if you like pai_group_tag_table,"
                          + " pai_instance_table and pai_machine_spec")
                      .formatted(file, first.size())));
    }
  }

  /** What the tasks of a job take together. */
  private static final class Taken {
    private double gpus;
    private double cpus;
    private double gigabytes;
    private double startSeconds = Double.POSITIVE_INFINITY;
    private double instanceSeconds = Double.POSITIVE_INFINITY;

    /** When the first worker came to life; the tasks know it less well than the instances. */
    double startSeconds() {
      return Double.isInfinite(instanceSeconds) ? startSeconds : instanceSeconds;
    }
  }

  private record Tags(String group, String workload) {}

  static final TraceFormat FORMAT =
      new TraceFormat(
          "pai-2020",
          "Alibaba's cluster-trace-gpu-v2020 (PAI): pai_job_table and pai_task_table, and if given"
              + " pai_group_tag_table, pai_instance_table and pai_machine_spec.",
          "Weng et al., MLaaS in the Wild: Workload Analysis and Scheduling in Large-Scale"
              + " Heterogeneous GPU Clusters, NSDI 2022; alibaba/clusterdata",
          Pai::read);

  private Pai() {}

  private static void read(List<Path> files, Settings settings, TraceSink out) {
    Map<Path, Kind> kinds = new HashMap<>();
    files.forEach(file -> kinds.put(file, Kind.of(file)));
    for (Kind needed : List.of(Kind.JOBS, Kind.TASKS)) {
      if (!kinds.containsValue(needed)) {
        throw new BadInput(
            "format pai-2020: no %s; jobs are in pai_job_table, their GPUs in pai_task_table"
                .formatted(needed.table));
      }
    }
    Map<String, Tags> tags = new HashMap<>();
    Map<String, Taken> taken = new HashMap<>();
    Map<String, String> shared = new HashMap<>();
    List<Path> ordered =
        files.stream().sorted(Comparator.comparing((Path file) -> kinds.get(file))).toList();
    for (Path file : ordered) {
      Kind kind = kinds.getOrDefault(file, Kind.JOBS);
      Rows.headless(
          file,
          out,
          kind.columns(),
          row -> {
            switch (kind) {
              case MACHINES -> machine(row, out);
              case TAGS -> {
                String group = row.text("group");
                String workload = row.text("workload");
                tags.put(
                    row.text("inst_id"),
                    new Tags(
                        shared.computeIfAbsent(group, g -> g),
                        shared.computeIfAbsent(workload, w -> w)));
                out.part("the tags of a job");
              }
              case TASKS -> task(row, taken, out);
              case INSTANCES -> instance(row, taken, out);
              case JOBS -> job(row, taken, tags, settings, out);
            }
          });
    }
  }

  private static void machine(Row row, TraceSink out) {
    out.server(row.id("machine"), (int) row.number("cap_gpu"));
    out.part("a server");
  }

  private static void task(Row row, Map<String, Taken> taken, TraceSink out) {
    double instances = orElse(row.numberIfAny("inst_num"), 1);
    double gpus = instances * orElse(row.numberIfAny("plan_gpu"), 0) / PERCENT;
    Taken job = taken.computeIfAbsent(row.text("job_name"), _ -> new Taken());
    job.gpus += gpus;
    job.cpus += instances * orElse(row.numberIfAny("plan_cpu"), 0) / PERCENT;
    job.gigabytes += instances * orElse(row.numberIfAny("plan_mem"), 0);
    job.startSeconds = Math.min(job.startSeconds, start(row));
    out.part("a task of a job");
  }

  private static void instance(Row row, Map<String, Taken> taken, TraceSink out) {
    Taken job = taken.get(row.text("job_name"));
    if (job == null) {
      throw new Unusable("is an instance of no task");
    }
    job.instanceSeconds = Math.min(job.instanceSeconds, start(row));
    out.part("an instance of a task");
  }

  /** When a task or an instance started. The trace has 0 for what never did. */
  private static double start(Row row) {
    double start = row.text("start_time").isEmpty() ? 0 : row.time("start_time");
    return start > 0 ? start : Double.POSITIVE_INFINITY;
  }

  private static double orElse(double value, double otherwise) {
    return Double.isNaN(value) ? otherwise : value;
  }

  private static void job(
      Row row, Map<String, Taken> taken, Map<String, Tags> tags, Settings settings, TraceSink out) {
    Taken job = taken.get(row.text("job_name"));
    if (job == null) {
      throw new Unusable("has no task");
    }
    int gpus = Row.wholeGpus(job.gpus);
    TraceJobs.requireEnd(settings, row.text("status").equals("Terminated"));
    double submitted = start(row);
    double started = Math.max(submitted, job.startSeconds());
    if (started == Double.POSITIVE_INFINITY) {
      throw new Unusable("never started");
    }
    double ended = row.time("end_time");
    if (ended < started) {
      throw new Unusable("end_time is before its start");
    }
    Tags tag = tags.getOrDefault(row.text("inst_id"), new Tags("", ""));
    out.keep(
        TraceJob.of(row.id("job_name"), submitted, gpus, ended - started)
            .waited(started - submitted)
            .by(row.text("user"), tag.group)
            .training(tag.workload)
            .taking(job.cpus / gpus, job.gigabytes * BYTES_PER_GIGABYTE / gpus));
  }
}
