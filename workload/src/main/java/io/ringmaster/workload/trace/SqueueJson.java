package io.ringmaster.workload.trace;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A job of what {@code squeue --json} prints, which calls things otherwise than {@code sacct
 * --json}. Numbers and states come in the same forms.
 */
final class SqueueJson {
  private static final String STATE = "job_state";

  private static final Set<String> WANTED =
      Set.of(
          STATE,
          "array_job_id",
          "array_task_id",
          "array_task_string",
          "het_job_id",
          "het_job_offset",
          "submit_time",
          "eligible_time",
          "start_time",
          "time_limit",
          "state_reason",
          "user_name",
          "tres_alloc_str",
          "tres_req_str",
          "tres_per_node",
          "node_count");

  private SqueueJson() {}

  static Set<String> with(Set<String> others) {
    Set<String> all = new HashSet<>(others);
    all.addAll(WANTED);
    return all;
  }

  static boolean isOne(JsonItems job) {
    return !state(job).isEmpty();
  }

  /** An end is what Slurm expects, and does not count. */
  static SlurmRow row(JsonItems job) {
    try {
      List<String> servers = SacctJson.servers(job.text("nodes"));
      return new SlurmRow(
          id(job),
          time(job, "submit_time"),
          time(job, "eligible_time"),
          time(job, "start_time"),
          SlurmTime.UNKNOWN,
          SlurmTime.UNKNOWN,
          state(job),
          tres(job, servers.size()),
          job.text("user_name"),
          job.text("partition"),
          job.text("name"),
          servers,
          new SlurmRow.Queued(
              SacctJson.limitSeconds(SacctJson.number(job, "time_limit")),
              SacctJson.priority(SacctJson.number(job, "priority")),
              job.text("state_reason")));
    } catch (IllegalArgumentException e) {
      throw new Unusable("has a job_id, tres or nodes that cannot be read");
    }
  }

  private static SlurmId id(JsonItems job) {
    long array = (long) SacctJson.number(job, "array_job_id");
    double task = SacctJson.number(job, "array_task_id");
    long het = (long) SacctJson.number(job, "het_job_id");
    double part = SacctJson.number(job, "het_job_offset");
    if (array > 0 && !job.text("array_task_string").isEmpty()) {
      return SlurmId.of(array + "_[" + job.text("array_task_string") + "]");
    }
    if (array > 0 && task >= 0) {
      return SlurmId.of(array + "_" + (long) task);
    }
    return SlurmId.of(
        het > 0 && part >= 0
            ? het + "+" + (long) part
            : "" + (long) SacctJson.number(job, "job_id"));
  }

  private static String state(JsonItems job) {
    List<String> words = job.texts(STATE);
    return words.isEmpty() ? "" : words.getFirst().toUpperCase(Locale.ROOT);
  }

  private static long time(JsonItems job, String name) {
    return SlurmTime.ofEpoch(SacctJson.number(job, name));
  }

  private static Tres tres(JsonItems job, int nodes) {
    Tres tres = Tres.of(job.text("tres_alloc_str"));
    if (tres.equals(Tres.NOTHING)) {
      tres = Tres.of(job.text("tres_req_str"));
    }
    if (tres.gpus() > 0) {
      return tres;
    }
    // Without accounting Slurm does not add GPUs up.
    double asked = SacctJson.number(job, "node_count");
    long all = Math.max(1, nodes > 0 ? nodes : (long) Math.min(asked, HostList.MOST));
    long each = Tres.ofGres(job.text("tres_per_node").replace("gres/", ""));
    return new Tres(all * each, tres.cpus(), tres.memoryBytes());
  }
}
