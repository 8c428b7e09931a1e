package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A server that launches, stops and forgets at random, as fast as it can, until somebody kills it.
 * It writes down each end that it was told, asks for each launch twice, and prints a line for each
 * attempt of its own that ran.
 */
final class DoomedServer {
  static final List<LocalNode> NODES =
      List.of(LocalNode.declared("left", 3), LocalNode.declared("right", 3));
  static final String WORD = "h\u00e4 \u65e5\u672c";

  private final LocalEngine engine;
  private final Path folder;
  private final RandomGenerator random;
  private final Set<AttemptId> said = new HashSet<>();
  private final Set<AttemptId> forgotten = new HashSet<>();
  private long order;

  private DoomedServer(Path folder, RandomGenerator random, long order) throws IOException {
    this.folder = folder;
    this.random = random;
    this.order = order;
    engine = new LocalEngine(folder.resolve("data"), NODES, LocalSettings.USUAL, 25_000, 25_999);
  }

  public static void main(String[] arguments) throws Exception {
    int round = Integer.parseInt(arguments[1]);
    RandomGenerator random = new SplittableRandom(Long.parseLong(arguments[2]));
    new DoomedServer(Path.of(arguments[0]), random, round * 1_000_000L).run(round);
  }

  private void run(int round) throws IOException {
    for (int job = 1000 * round + 1; true; job++) {
      writeEnds(round);
      AttemptId id = new AttemptId(job, 1);
      if (random.nextInt(8) == 0) {
        engine.stop(id, 1);
      }
      try {
        Launch launch = launch(id);
        engine.launch(++order, launch);
        engine.launch(++order, launch);
      } catch (IOException e) {
        job--; // No room: again, with the same number.
        Watch.pause(5);
      }
      if (random.nextInt(3) == 0) {
        AttemptId stopped = new AttemptId(job - random.nextInt(4), 1);
        // A stop of what was forgotten is told as gone, as of anything that is not known.
        if (!forgotten.contains(stopped)) {
          engine.stop(stopped, 1);
        }
      }
    }
  }

  /** Ends with the job's number modulo 5, or with 40 when it is stopped. */
  private Launch launch(AttemptId id) {
    Map<String, Object> description = new HashMap<>();
    description.put(
        "command",
        List.of(
            "sh",
            "-c",
            """
            echo "start $RINGMASTER_JOB $1" >>"$2"
            trap 'echo "end $RINGMASTER_JOB 40" >>"$2"; exit 40' TERM
            tr '\\0' '\\n' <"/proc/$PPID/environ" >>"$2.environment"
            env >>"$2.environment"
            sleep 0.0$((RINGMASTER_JOB % 7))
            echo "end $RINGMASTER_JOB $((RINGMASTER_JOB % 5))" >>"$2"
            exit $((RINGMASTER_JOB % 5))
            """,
            "sh",
            WORD,
            folder.resolve("runs").toString()));
    description.put("gpus", 1);
    Allocation on = Allocation.of((random.nextBoolean() ? "left" : "right") + ":1");
    return new Launch(id, "ada", JobSpecs.of(description), on, 1);
  }

  private void writeEnds(int round) throws IOException {
    for (Status status : engine.observe().attempts()) {
      if (status.phase().isEnd()) {
        append(folder, status);
        boolean isOwn = status.attempt().job() / 1000 == round;
        if (isOwn && status.phase() instanceof Status.Exited && said.add(status.attempt())) {
          System.out.println("ended");
        }
        // What is forgotten was written down before; some are kept, to be told again.
        if (random.nextInt(2) == 0) {
          engine.forget(++order, status.attempt());
          forgotten.add(status.attempt());
        }
      }
    }
  }

  static void append(Path folder, Status status) throws IOException {
    Files.writeString(
        folder.resolve("told"),
        status.attempt().job() + " " + status.phase() + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
