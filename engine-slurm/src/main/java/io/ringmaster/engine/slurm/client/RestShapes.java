package io.ringmaster.engine.slurm.client;

import io.ringmaster.engine.slurm.client.RestClient.RestError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a slurmrestd says, in any of the shapes that it has had. A number may stand there by itself,
 * be missing, or be {@code {"set": true, "infinite": false, "number": 5}}; a state is a word or a
 * list of words; a list of names is one text or several; how a job ended is a number as of wait(2),
 * or an object.
 */
final class RestShapes {
  /** Slurm's own numbers for "not said" and "no limit" begin here, for 16 and 32 bits. */
  private static final long SAID_16 = 65_533;

  private static final long SAID_32 = 4_294_967_293L;

  /** Flags that stand for the whole state, as squeue tells it, the first that is there. */
  private static final Map<String, String> FLAGS = new LinkedHashMap<>();

  private static final Map<String, String> STATES =
      Map.ofEntries(
          Map.entry("PENDING", "PD"),
          Map.entry("RUNNING", "R"),
          Map.entry("SUSPENDED", "S"),
          Map.entry("COMPLETED", "CD"),
          Map.entry("CANCELLED", "CA"),
          Map.entry("FAILED", "F"),
          Map.entry("TIMEOUT", "TO"),
          Map.entry("NODE_FAIL", "NF"),
          Map.entry("PREEMPTED", "PR"),
          Map.entry("BOOT_FAIL", "BF"),
          Map.entry("DEADLINE", "DL"),
          Map.entry("OUT_OF_MEMORY", "OOM"));

  static {
    FLAGS.put("COMPLETING", "CG");
    FLAGS.put("STAGE_OUT", "SO");
    FLAGS.put("CONFIGURING", "CF");
    FLAGS.put("RESIZING", "RS");
    FLAGS.put("REQUEUED", "RQ");
    FLAGS.put("REQUEUE_FED", "RF");
    FLAGS.put("REQUEUE_HOLD", "RH");
    FLAGS.put("SPECIAL_EXIT", "SE");
    FLAGS.put("STOPPED", "ST");
    FLAGS.put("REVOKED", "RV");
    FLAGS.put("RESV_DEL_HOLD", "RD");
    FLAGS.put("SIGNALING", "SI");
  }

  private RestShapes() {}

  static List<RestError> errors(Map<?, ?> answer) {
    List<RestError> errors = new ArrayList<>();
    for (Map<?, ?> error : objects(answer.get("errors"))) {
      double number = number(error, "error_number", "error_code", "errno");
      String text = text(error, "error");
      String more = text(error, "description");
      errors.add(
          new RestError(
              Double.isFinite(number) ? (long) number : 0,
              more.isEmpty() || more.equals(text)
                  ? text
                  : text.isEmpty() ? more : text + ", " + more));
    }
    // What is there, and says that there is none.
    errors.removeIf(error -> error.number() == 0 && error.text().isEmpty());
    return errors;
  }

  /** What the cluster is called; empty: this version does not tell. */
  static String cluster(Map<?, ?> answer) {
    return text(object(object(answer.get("meta")).get("slurm")), "cluster");
  }

  /** The number of the job that was submitted; empty: none was. */
  static String submitted(Map<?, ?> answer) {
    double number = number(answer, "job_id");
    if (!(number > 0)) {
      number = number(object(answer.get("result")), "job_id");
    }
    return number > 0 ? Long.toString((long) number) : "";
  }

  /** All jobs of an answer, a task of an array each by itself. */
  static List<SlurmJob> jobs(Map<?, ?> answer) {
    List<SlurmJob> jobs = new ArrayList<>();
    for (Map<?, ?> job : objects(answer.get("jobs"))) {
      for (String address : addresses(job)) {
        jobs.add(job(job, address));
      }
    }
    return jobs;
  }

  /** What squeue would call it, or its tasks that nothing is known of yet but their numbers. */
  private static List<String> addresses(Map<?, ?> job) {
    String id = Long.toString(whole(job, "job_id"));
    long array = whole(job, "array_job_id");
    long component = whole(job, "het_job_id");
    if (component > 0) {
      return List.of(component + "+" + whole(job, "het_job_offset"));
    }
    if (array == 0) {
      return List.of(id);
    }
    String waiting = text(job, "array_task_string");
    if (waiting.isEmpty()) {
      return List.of(array + "_" + whole(job, "array_task_id"));
    }
    return ArrayTasks.numbers(waiting).stream().map(task -> array + "_" + task).toList();
  }

  private static SlurmJob job(Map<?, ?> job, String address) {
    double limitMinutes = number(job, "time_limit");
    String described = text(job, "state_description");
    SlurmJob told =
        new SlurmJob(
            address,
            whole(job, "job_id"),
            text(job, "partition"),
            state(words(job.get("job_state"))),
            described.isEmpty() ? text(job, "state_reason") : described,
            text(job, "user_name"),
            text(job, "account"),
            number(job, "priority") == 0,
            limitMinutes >= SAID_32 ? Double.NaN : 60 * limitMinutes,
            whole(job, "submit_time"),
            (int) whole(job, "restart_cnt"),
            SlurmJob.nodes(
                whole(job, "node_count"),
                tres(job),
                whole(job, "tasks"),
                (int) whole16(job, "tasks_per_node")),
            SlurmJob.gpus(text(job, "tres_per_node")),
            SlurmJob.gpus(text(job, "tres_per_job")),
            SlurmJob.gpus(text(job, "tres_per_task")),
            (int) whole(job, "tasks"),
            (int) whole16(job, "tasks_per_node"),
            HostList.names(text(job, "nodes")),
            needs(job),
            whole(job, "eligible_time"),
            waitStatus(job.get("exit_code")),
            text(job, "dependency"),
            whole(job, "het_job_id") > 0,
            isSet(job, "batch_flag"),
            isSet(job, "requeue"),
            text(job, "command"),
            text(job, "name"),
            text(job, "comment"));
    // As Slurm's commands tell it.
    return told.isWaiting() ? told : told.excluding(List.of());
  }

  private static String tres(Map<?, ?> job) {
    String has = text(job, "tres_alloc_str");
    return has.isEmpty() ? text(job, "tres_req_str") : has;
  }

  private static Needs needs(Map<?, ?> job) {
    return new Needs.Told(
            text(job, "tres_per_node"),
            text(job, "tres_per_job"),
            text(job, "tres_per_task"),
            tres(job),
            whole(job, "memory_per_node") + whole(job, "memory_per_cpu") > 0,
            text(job, "cpus_per_tres"),
            text(job, "memory_per_tres"),
            text(job, "features"),
            HostList.names(text(job, "required_nodes")),
            HostList.names(text(job, "excluded_nodes")))
        .needs();
  }

  /** In short, as squeue has it. What nobody has heard of is told as it is. */
  static String state(List<String> words) {
    for (Map.Entry<String, String> flag : FLAGS.entrySet()) {
      if (words.contains(flag.getKey())) {
        return flag.getValue();
      }
    }
    return words.stream()
        .filter(STATES::containsKey)
        .map(STATES::get)
        .findFirst()
        .orElse(String.join("+", words));
  }

  /** As of wait(2). */
  static int waitStatus(@Nullable Object told) {
    if (!(told instanceof Map<?, ?> parts) || parts.containsKey("number")) {
      double number = number(told);
      return Double.isFinite(number) ? (int) number : 0;
    }
    Map<?, ?> signal = object(parts.get("signal"));
    double by = number(signal, "id", "signal_id");
    double code = number(parts, "return_code");
    return (by > 0 && by < 128 ? (int) by : 0) | (code > 0 && code < 256 ? (int) code << 8 : 0);
  }

  /** All nodes of an answer. */
  static List<SlurmNode> nodes(Map<?, ?> answer) {
    List<SlurmNode> nodes = new ArrayList<>();
    for (Map<?, ?> node : objects(answer.get("nodes"))) {
      List<String> state = new ArrayList<>(words(node.get("state")));
      state.addAll(words(node.get("state_flags")));
      String name = text(node, "name");
      String gres = text(node, "gres");
      String address = text(node, "address");
      nodes.add(
          new SlurmNode(
              name,
              state.isEmpty() ? "UNKNOWN" : String.join("+", state).toUpperCase(Locale.ROOT),
              text(node, "reason"),
              names(node.get("partitions")),
              SlurmJob.gpus(gres),
              SlurmJob.gpus(text(node, "gres_used")),
              SlurmNode.kind(gres),
              address.isEmpty() ? name : address,
              names(node.get("active_features")),
              SlurmNode.names(gres),
              whole(node, "effective_cpus") > 0
                  ? whole(node, "effective_cpus")
                  : whole(node, "cpus"),
              whole(node, "alloc_cpus"),
              whole(node, "real_memory") * SlurmNode.BYTES_PER_MB,
              whole(node, "alloc_memory") * SlurmNode.BYTES_PER_MB));
    }
    return nodes;
  }

  private static List<Map<?, ?>> objects(@Nullable Object value) {
    List<Map<?, ?>> objects = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> object) {
          objects.add(object);
        }
      }
    }
    return objects;
  }

  private static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> object ? object : Map.of();
  }

  private static String text(Map<?, ?> object, String name) {
    return switch (object.get(name)) {
      case String text -> Set.of("(null)", "N/A").contains(text) ? "" : text.strip();
      case Number number -> number.toString();
      case null, default -> "";
    };
  }

  /** A list, or one text with commas in it. */
  private static List<String> names(@Nullable Object value) {
    if (value instanceof String text) {
      return SlurmNode.words(text);
    }
    return words(value);
  }

  private static List<String> words(@Nullable Object value) {
    return switch (value) {
      case String text when !text.isBlank() -> List.of(text.strip());
      case List<?> list ->
          list.stream().filter(String.class::isInstance).map(String.class::cast).toList();
      case null, default -> List.of();
    };
  }

  private static boolean isSet(Map<?, ?> object, String name) {
    return switch (object.get(name)) {
      case Boolean flag -> flag;
      case null -> false;
      case Object other -> number(other) > 0;
    };
  }

  /** The first of these members that is a number; NaN: none is, or it is not said. */
  private static double number(Map<?, ?> object, String... names) {
    for (String name : names) {
      double number = number(object.get(name));
      if (!Double.isNaN(number)) {
        return number;
      }
    }
    return Double.NaN;
  }

  private static double number(@Nullable Object value) {
    return switch (value) {
      case Number number -> number.doubleValue();
      case Map<?, ?> object when isSet(object, "infinite") -> Double.POSITIVE_INFINITY;
      case Map<?, ?> object when isSet(object, "set") -> number(object.get("number"));
      case String text when text.matches("\\d{1,15}") -> Double.parseDouble(text);
      case null, default -> Double.NaN;
    };
  }

  /** 0: not said. */
  private static long whole(Map<?, ?> object, String name) {
    double number = number(object, name);
    return Double.isFinite(number) && number < SAID_32 ? (long) number : 0;
  }

  private static long whole16(Map<?, ?> object, String name) {
    long number = whole(object, name);
    return number < SAID_16 ? number : 0;
  }
}
