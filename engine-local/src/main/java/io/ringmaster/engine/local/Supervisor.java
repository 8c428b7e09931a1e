package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts supervisors. Words reach the script through a file and {@code xargs -0}: they arrive as
 * they are, in UTF-8 whatever the server's locale, and no shell reads them.
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

  /** Below what Linux takes, 2 MB with its usual stack, with room for what the script adds. */
  private static final int MOST_BYTES = 1_500_000;

  private static final int BYTES_PER_WORD = 9;

  private final DataFolder data;
  private final String boot;

  Supervisor(DataFolder data, String boot) {
    this.data = data;
    this.boot = boot;
  }

  /** More words than Linux can give to a program. */
  static final class TooLong extends Exception {
    private static final long serialVersionUID = 1;

    TooLong() {
      super("command and environment are longer than %d bytes".formatted(MOST_BYTES));
    }
  }

  /** Puts down what the supervisor needs, and says how to start it. */
  List<String> prepare(AttemptFolder folder, Launch launch, Plan plan) throws IOException, TooLong {
    AttemptId attempt = launch.attempt();
    Files.createDirectories(data.checkpoints(attempt.job()));
    if (launch.spec().directory().isEmpty()) {
      Files.createDirectories(data.work(attempt.job()));
    }
    List<String> words = new ArrayList<>();
    words.add(data.script().toString());
    words.add("detach");
    words.add(data.root().toString());
    words.add(attempt.text());
    words.add(data.logs(attempt).toString());
    words.add(
        launch.spec().directory().isEmpty()
            ? data.work(attempt.job()).toString()
            : launch.spec().directory());
    words.add(seconds(launch.spec().graceSeconds()));
    words.add(boot);
    words.add(plan.sharesText());
    environment(launch, plan).forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(program(launch.spec()));
    Files.write(folder.path().resolve("words"), bytes(words));
    // With -n and -x it fails if not all words fit; else it would run the script in pieces.
    return List.of(
        "xargs",
        "-0",
        "-x",
        "-n",
        Integer.toString(words.size()),
        "-s",
        Integer.toString(MOST_BYTES + 100_000),
        "sh");
  }

  private static byte[] bytes(List<String> words) throws TooLong {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String word : words) {
      bytes.writeBytes(word.getBytes(StandardCharsets.UTF_8));
      bytes.write(0);
    }
    if (bytes.size() + (long) words.size() * BYTES_PER_WORD > MOST_BYTES) {
      throw new TooLong();
    }
    return bytes.toByteArray();
  }

  private static List<String> program(JobSpec spec) {
    if (!spec.command().getFirst().contains("=")) {
      return spec.command();
    }
    // env would take it for a variable.
    List<String> words = new ArrayList<>(List.of("sh", "-c", "exec \"$0\" \"$@\""));
    words.addAll(spec.command());
    return words;
  }

  private Map<String, String> environment(Launch launch, Plan plan) {
    long job = launch.attempt().job();
    Map<String, String> environment = inherited();
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
  Process start(AttemptFolder folder, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(folder.path().resolve("words").toFile())
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

  /** Empty logs, so that whoever asks early finds that there is nothing yet. */
  void makeLogs(AttemptId attempt, int workers) throws IOException {
    Path logs = data.logs(attempt);
    Files.createDirectories(logs);
    for (int rank = 0; rank < workers; rank++) {
      Files.write(logs.resolve(rank + ".out"), new byte[0]);
      Files.write(logs.resolve(rank + ".err"), new byte[0]);
    }
    data.markProgress(attempt);
  }
}
