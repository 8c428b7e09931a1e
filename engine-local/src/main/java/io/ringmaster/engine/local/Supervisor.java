package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;
import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private final DataFolder data;
  private final String boot;
  private final @Nullable Nursery nursery;

  /**
   * Makes ready to start supervisors.
   *
   * @param nursery who starts them; null: this program, and they are nobody's children
   */
  Supervisor(DataFolder data, String boot, @Nullable Nursery nursery) {
    this.data = data;
    this.boot = boot;
    this.nursery = nursery;
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
      AttemptFolder folder,
      Launch launch,
      Part part,
      Plan plan,
      @Nullable Account owner,
      List<Path> doors)
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
    orders.append("logs=").append(WorkerProgram.quoted(data.logs(attempt).toString()));
    orders.append("\ngrace=").append(WorkerProgram.quoted(seconds(spec.graceSeconds())));
    orders.append("\nboot=").append(WorkerProgram.quoted(boot));
    orders.append("\nshares=").append(WorkerProgram.quoted(plan.sharesText()));
    orders.append("\nfirst=").append(part.firstRank());
    orders.append("\nworld=").append(part.workers());
    orders
        .append("\nprogress=")
        .append(WorkerProgram.quoted(data.progress(attempt.job()).toString()));
    orders.append("\nbecome=").append(WorkerProgram.quoted(owner == null ? "" : owner.prefix()));
    orders.append("\nenter() {\n");
    doors.forEach(door ->
        orders.append("echo 0 >").append(WorkerProgram.quoted(door.toString())).append(" &&\n"));
    orders.append(":\n}\n");
    String program = program(spec, directory, environment(launch, part, plan, owner));
    DataFolder.put(folder.orders(), orders.toString());
    DataFolder.put(folder.program(), program);
  }

  /** What a shell of each worker reads from its standard input, and becomes. */
  private static String program(JobSpec spec, String directory, Map<String, String> environment)
      throws Refused {
    try {
      return WorkerProgram.text(spec.command(), directory, environment);
    } catch (WorkerProgram.TooLong e) {
      throw new Refused(String.valueOf(e.getMessage()));
    }
  }

  private Map<String, String> environment(
      Launch launch, Part part, Plan plan, @Nullable Account owner) {
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
    environment.put("MASTER_ADDR", part.address());
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
        Leftovers.JOB,
        data.progress(attempt.job()).toString(),
        Leftovers.ATTEMPT,
        Integer.toString(attempt.attempt()),
        Leftovers.PLACE,
        data.root().toString());
  }

  /**
   * Starts it. The process that is returned ends at once, and leaves the supervisor behind; null:
   * somebody else was asked to start it.
   */
  @Nullable Process start(AttemptFolder folder) throws IOException {
    if (nursery != null) {
      nursery.start(data.root(), folder.attempt());
      return null;
    }
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
  void makeLogs(AttemptId attempt, Plan plan, @Nullable Account owner) throws IOException {
    Path logs = data.logs(attempt);
    DataFolder.makeFolder(logs, null);
    for (int each = 0; each < plan.workers(); each++) {
      int rank = plan.firstRank() + each;
      DataFolder.makeFile(logs.resolve(rank + ".out"), owner);
      DataFolder.makeFile(logs.resolve(rank + ".err"), owner);
    }
    // Of parts the first is launched before the others: none has said anything yet.
    if (plan.firstRank() == 0) {
      data.markProgress(attempt, owner);
    }
  }
}
