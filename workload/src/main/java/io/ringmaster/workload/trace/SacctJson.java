package io.ringmaster.workload.trace;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What {@code sacct --json} prints. Its form changed with Slurm's versions (data parser v0.0.37 to
 * v0.0.42), and all of these are read:
 *
 * <ul>
 *   <li>a number is {@code 5}, {@code null}, or {@code {"set": true, "infinite": false, "number":
 *       5}};
 *   <li>a state is {@code "COMPLETED"}, or a list whose first word it is;
 *   <li>memory in {@code tres} is in MB.
 * </ul>
 *
 * <p>Steps are inside their job and are passed over.
 *
 * @param queue whether what {@code squeue --json} prints will do too
 */
record SacctJson(Path file, SlurmJobs jobs, TraceSink out, boolean queue) {
  private static final Set<String> WANTED =
      Set.of(
          "job_id",
          "array",
          "het",
          "time",
          "state",
          "tres",
          "user",
          "partition",
          "name",
          "nodes",
          "association",
          "priority");
  private static final double MEBIBYTE = 1 << 20;

  void read(InputStream text) {
    JsonItems.each(file, text, "jobs", queue ? SqueueJson.with(WANTED) : WANTED, this::job);
  }

  private void job(JsonItems job, long line) {
    out.row(file, line);
    try {
      jobs.take(queue && SqueueJson.isOne(job) ? SqueueJson.row(job) : row(job));
    } catch (Unusable e) {
      out.drop(e.reason());
    }
  }

  private static SlurmRow row(JsonItems job) {
    try {
      return new SlurmRow(
          id(job),
          time(job, "submission"),
          time(job, "eligible"),
          time(job, "start"),
          time(job, "end"),
          elapsed(job),
          state(job),
          tres(job),
          job.text("user").isEmpty() ? job.text("association", "user") : job.text("user"),
          job.text("partition"),
          job.text("name"),
          servers(job.text("nodes")),
          new SlurmRow.Queued(
              limitSeconds(number(job, "time", "limit")), priority(number(job, "priority")), ""));
    } catch (IllegalArgumentException e) {
      throw new Unusable("has a job_id, tres or nodes that cannot be read");
    }
  }

  /** As the text form has it, where parts and tasks show in the id. */
  private static SlurmId id(JsonItems job) {
    long array = (long) number(job, "array", "job_id");
    double task = number(job, "array", "task_id");
    long het = (long) number(job, "het", "job_id");
    double part = number(job, "het", "job_offset");
    if (array > 0 && task >= 0) {
      return SlurmId.of(array + "_" + (long) task);
    }
    if (array > 0 && !job.text("array", "task").isEmpty()) {
      return SlurmId.of(array + "_[" + job.text("array", "task") + "]");
    }
    return SlurmId.of(
        het > 0 && part >= 0 ? het + "+" + (long) part : "" + (long) number(job, "job_id"));
  }

  private static String state(JsonItems job) {
    List<String> words = job.texts("state", "current");
    return words.isEmpty() ? "" : words.getFirst().toUpperCase(Locale.ROOT);
  }

  private static long time(JsonItems job, String name) {
    return SlurmTime.ofEpoch(number(job, "time", name));
  }

  private static long elapsed(JsonItems job) {
    double seconds = number(job, "time", "elapsed");
    return seconds >= 0 ? Math.round(seconds) : SlurmTime.UNKNOWN;
  }

  private static Tres tres(JsonItems job) {
    Tres allocated = tres(job.objects("tres", "allocated"));
    return allocated.equals(Tres.NOTHING) ? tres(job.objects("tres", "requested")) : allocated;
  }

  private static Tres tres(List<JsonItems> each) {
    Tres.Sum sum = new Tres.Sum();
    for (JsonItems one : each) {
      double number = number(one, "count");
      double count = number >= 0 ? number : 0;
      switch (one.text("type")) {
        case "cpu" -> sum.cpus(count);
        case "mem" -> sum.memoryBytes(count * MEBIBYTE);
        case "gres" -> sum.gpus("gres/" + one.text("name"), count);
        default -> {
          // Nodes, energy and the like.
        }
      }
    }
    return sum.tres();
  }

  /** A number, or NaN if it is missing, {@code null}, not set or without end. */
  static double number(JsonItems from, String... path) {
    double plain = from.number(path);
    JsonItems wrapped = from.object(path);
    return Double.isNaN(plain) && wrapped.text("set").equals("true")
        ? wrapped.number("number")
        : plain;
  }

  static double limitSeconds(double minutes) {
    return minutes > 0 ? 60 * minutes : Double.POSITIVE_INFINITY;
  }

  static double priority(double number) {
    return Double.isFinite(number) ? number : 0;
  }

  static List<String> servers(String nodes) {
    return nodes.isEmpty() || nodes.equals(SacctText.NONE_ASSIGNED)
        ? List.of()
        : HostList.expand(nodes);
  }
}
