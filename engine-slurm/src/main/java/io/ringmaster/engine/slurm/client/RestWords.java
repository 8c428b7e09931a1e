package io.ringmaster.engine.slurm.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Words of {@code scontrol update} and {@code sbatch} as a slurmrestd wants to hear them. Up to
 * v0.0.38 its fields are sbatch's options by other names, and texts; from v0.0.39 on those of
 * Slurm's own messages.
 *
 * @param version the last number, as in 38
 * @param nowSeconds since 1970
 * @param environment that {@code --export} takes its values from
 */
record RestWords(int version, long nowSeconds, Map<String, String> environment) {
  private static final int FIRST_WITH_FIELDS = 39;

  /** From here on the name of a resource has a slash. */
  private static final int FIRST_WITH_SLASHES = 40;

  /** From here on a script is a field of its job. */
  private static final int FIRST_WITH_SCRIPTS = 41;

  private boolean hasFields() {
    return version >= FIRST_WITH_FIELDS;
  }

  /** A change of a job: words as in {@code nodelist=n3}. */
  Map<String, Object> change(List<String> words) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String word : words) {
      int sign = word.indexOf('=');
      add(fields, word.substring(0, Math.max(0, sign)), word.substring(sign + 1));
    }
    return fields;
  }

  /** A job, or the components of one. */
  Map<String, Object> submission(List<String> options, String script) throws IOException {
    List<Map<String, Object>> jobs = new ArrayList<>();
    jobs.add(new LinkedHashMap<>());
    for (String option : options) {
      if (option.equals(":")) {
        jobs.add(new LinkedHashMap<>());
      } else {
        int sign = option.indexOf('=');
        String name = (sign < 0 ? option : option.substring(0, sign)).replaceFirst("^--", "");
        add(jobs.getLast(), name, sign < 0 ? "" : option.substring(sign + 1));
      }
    }
    // Each needs one, though it is the first's that counts.
    Object exported = jobs.getFirst().getOrDefault("environment", exported("PATH"));
    jobs.forEach(job -> job.put("environment", exported));
    Map<String, Object> body = new LinkedHashMap<>();
    if (version >= FIRST_WITH_SCRIPTS) {
      jobs.getFirst().put("script", script);
    } else {
      body.put("script", script);
    }
    if (jobs.size() == 1) {
      body.put("job", jobs.getFirst());
    } else {
      body.put("jobs", jobs);
    }
    return body;
  }

  private void add(Map<String, Object> fields, String name, String value) throws IOException {
    switch (name) {
      case "numnodes", "nodes" -> nodes(fields, value);
      case "nodelist" -> {
        if (hasFields()) {
          fields.put("required_nodes", SlurmNode.words(value));
        } else {
          fields.put("nodelist", value);
        }
      }
      case "gres" -> {
        if (hasFields()) {
          String mark = version >= FIRST_WITH_SLASHES ? "/" : ":";
          String prefix = "gres" + mark;
          fields.put("tres_per_node", prefix + value.replace(",", "," + prefix));
        } else {
          fields.put("gres", value);
        }
      }
      case "starttime" -> {
        long later = value.equals("now") ? 0 : whole(value.replaceFirst("^now\\+", ""));
        fields.put("begin_time", hasFields() ? (Object) (nowSeconds + later) : value);
      }
      case "requeue" -> fields.put("requeue", value.equals("1"));
      case "no-requeue" -> fields.put("requeue", false);
      case "hold" -> fields.put("hold", Boolean.parseBoolean(value));
      case "partition", "comment" -> fields.put(name, value);
      case "job-name" -> fields.put("name", value);
      case "chdir" -> fields.put("current_working_directory", value);
      case "output" -> fields.put("standard_output", value);
      case "cpus-per-task" -> fields.put("cpus_per_task", whole(value));
      case "ntasks-per-node" -> fields.put("tasks_per_node", whole(value));
      case "mem" -> fields.put("memory_per_node", hasFields() ? (Object) whole(value) : value);
      case "export" -> fields.put("environment", exported(value));
      default ->
          throw new IOException("slurmrestd is not told of '%s'; leave out 'rest'".formatted(name));
    }
  }

  private void nodes(Map<String, Object> fields, String value) {
    int dash = value.indexOf('-');
    String least = dash < 0 ? value : value.substring(0, dash);
    String most = value.substring(dash + 1);
    if (hasFields()) {
      fields.put("minimum_nodes", whole(least));
      fields.put("maximum_nodes", whole(most));
    } else {
      // As a list it would be taken in, and forgotten.
      fields.put("nodes", least + "-" + most);
    }
  }

  /** Values of this server's own environment. */
  private Object exported(String names) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String name : names.split(",", -1)) {
      String value = environment.get(name);
      if (value != null) {
        values.put(name, value);
      }
    }
    if (values.isEmpty()) {
      values.put("PATH", "/usr/local/bin:/usr/bin:/bin");
    }
    return hasFields()
        ? values.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList()
        : values;
  }

  /** Also of {@code 2000M}, which is what Slurm counts memory in. */
  private static long whole(String text) {
    return Long.parseLong(text.replaceFirst("M$", ""));
  }
}
