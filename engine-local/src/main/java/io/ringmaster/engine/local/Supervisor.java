package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;
import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts supervisors. A job's words and variables reach them through files that nobody else can
 * read, each between single quotes, in which a shell leaves everything as it is: they are in no
 * command line but the worker's own, and arrive in UTF-8 whatever the server's locale.
 */
final class Supervisor {
  /** Of the server's own environment, all that a job may see. */
  private static final List<String> INHERITED = List.of("PATH", "HOME", "USER", "LANG", "TMPDIR");

  private static final List<String> PER_WORKER =
      List.of(
          "RANK",
          "WORLD_SIZE",
          "LOCAL_RANK",
          "LOCAL_WORLD_SIZE",
          "RINGMASTER_NODE",
          "CUDA_VISIBLE_DEVICES");

  /** Variables that some shell does not let be set, or not to everything: env sets them. */
  private static final Set<String> SHELLS_OWN =
      Set.of("UID", "EUID", "PPID", "OPTIND", "SHELLOPTS", "BASHOPTS", "GROUPS", "FUNCNAME", "_");

  /** Below what Linux takes, 2 MB with its usual stack, with room for what the script adds. */
  private static final int MOST_BYTES = 1_500_000;

  private static final int BYTES_PER_WORD = 9;

  private final DataFolder data;
  private final String boot;

  Supervisor(DataFolder data, String boot) {
    this.data = data;
    this.boot = boot;
  }

  /** It can be told before it is started that this cannot be run; the message says why. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String why) {
      super(why);
    }
  }

  /**
   * Puts down what the supervisor needs.
   *
   * @param owner who the workers run as; null: as the server
   * @param doors files that a worker writes to, to be in its control groups
   */
  void prepare(
      AttemptFolder folder, Launch launch, Plan plan, @Nullable Account owner, List<Path> doors)
      throws IOException, Refused {
    AttemptId attempt = launch.attempt();
    JobSpec spec = launch.spec();
    DataFolder.makeFolder(data.checkpoints(attempt.job()), owner);
    String directory = spec.directory();
    if (directory.isEmpty()) {
      DataFolder.makeFolder(data.work(attempt.job()), owner);
      directory = data.work(attempt.job()).toString();
    }
    StringBuilder orders = new StringBuilder();
    orders.append("logs=").append(quoted(data.logs(attempt).toString()));
    orders.append("\ngrace=").append(quoted(seconds(spec.graceSeconds())));
    orders.append("\nboot=").append(quoted(boot));
    orders.append("\nshares=").append(quoted(plan.sharesText()));
    orders.append("\nprogress=").append(quoted(data.progress(attempt.job()).toString()));
    orders.append("\nbecome=").append(quoted(owner == null ? "" : owner.prefix()));
    orders.append("\nenter() {\n");
    doors.forEach(
        door -> orders.append("echo 0 >").append(quoted(door.toString())).append(" &&\n"));
    orders.append(":\n}\n");
    String program = program(spec, directory, environment(launch, plan, owner));
    DataFolder.put(folder.orders(), orders.toString());
    DataFolder.put(folder.program(), program);
  }

  /** What a shell of each worker reads from its standard input, and becomes. */
  private static String program(JobSpec spec, String directory, Map<String, String> environment)
      throws Refused {
    StringBuilder text = new StringBuilder();
    StringBuilder byEnv = new StringBuilder();
    long bytes = 0;
    text.append("umask 022\ncd ").append(quoted(directory)).append(" || exit 126\n");
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      String setting = variable.getKey() + "=" + variable.getValue();
      bytes += bytes(setting);
      if (SHELLS_OWN.contains(variable.getKey())) {
        byEnv.append(byEnv.isEmpty() ? "env " : " ").append(quoted(setting));
      } else {
        text.append("export ").append(quoted(setting)).append('\n');
      }
    }
    text.append("set --");
    for (String word : spec.command()) {
      bytes += bytes(word);
      text.append(' ').append(quoted(word));
    }
    if (bytes > MOST_BYTES) {
      throw new Refused("command and environment are longer than %d bytes".formatted(MOST_BYTES));
    }
    return text.append("\nexec ").append(byEnv).append(" \"$@\" </dev/null\n").toString();
  }

  private static int bytes(String word) {
    return word.getBytes(StandardCharsets.UTF_8).length + 1 + BYTES_PER_WORD;
  }

  /** As a shell reads it, and gives it back as it was. */
  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private Map<String, String> environment(Launch launch, Plan plan, @Nullable Account owner) {
    long job = launch.attempt().job();
    Map<String, String> environment = inherited();
    if (owner != null) {
      environment.remove("TMPDIR");
      environment.put("HOME", owner.home());
      environment.put("USER", owner.name());
      environment.put("LOGNAME", owner.name());
    }
    environment.putAll(launch.spec().environment());
    environment.putAll(marks(launch.attempt()));
    environment.put("RINGMASTER_JOB", Long.toString(job));
    environment.put("RINGMASTER_CHECKPOINT_DIR", data.checkpoints(job).toString());
    environment.put("RINGMASTER_LEARNING_RATE_SCALE", seconds(launch.learningRateScale()));
    environment.put("MASTER_ADDR", "127.0.0.1");
    environment.put("MASTER_PORT", Integer.toString(plan.port()));
    // The script sets these; a user's would come after them.
    PER_WORKER.forEach(environment::remove);
    return environment;
  }

  private static Map<String, String> inherited() {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String name : INHERITED) {
      String value = System.getenv(name);
      if (value != null) {
        environment.put(name, value);
      }
    }
    return environment;
  }

  /** By these {@link Leftovers} finds an attempt's processes. */
  private Map<String, String> marks(AttemptId attempt) {
    return Map.of(
        "RINGMASTER_PROGRESS",
        data.progress(attempt.job()).toString(),
        "RINGMASTER_ATTEMPT",
        Integer.toString(attempt.attempt()));
  }

  /** Starts it. The process that is returned ends at once, and leaves the supervisor behind. */
  Process start(AttemptFolder folder) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                "sh",
                data.script().toString(),
                "detach",
                data.root().toString(),
                folder.attempt().text())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(inherited());
    builder.environment().putAll(marks(folder.attempt()));
    return builder.start();
  }

  /** A number as {@code sleep} reads it. */
  static String seconds(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /**
   * Empty logs, so that whoever asks early finds that there is nothing yet. They are their owner's,
   * since programs open /dev/stderr by its name; that they stay where they are is the folder's
   * work.
   */
  void makeLogs(AttemptId attempt, int workers, @Nullable Account owner) throws IOException {
    Path logs = data.logs(attempt);
    DataFolder.makeFolder(logs, null);
    for (int rank = 0; rank < workers; rank++) {
      DataFolder.makeFile(logs.resolve(rank + ".out"), owner);
      DataFolder.makeFile(logs.resolve(rank + ".err"), owner);
    }
    data.markProgress(attempt, owner);
  }
}
