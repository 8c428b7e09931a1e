package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A server that launches and stops at random, as fast as it can, until somebody kills it. It writes
 * down each end that it was told, and prints a line for each launch that was answered.
 */
final class DoomedServer {
  private DoomedServer() {}

  static AllocationStage stage(Path folder) throws IOException {
    return new AllocationStage(
        folder.resolve("data"), new PlainSlurm(folder).commands(), PlainSlurm.JOB, Map.of());
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    int round = Integer.parseInt(arguments[1]);
    RandomGenerator random = new SplittableRandom(Long.parseLong(arguments[2]));
    AllocationStage stage = stage(folder);
    stage.order(1_000_000L * round);
    stage.open();
    System.out.println("open");
    for (int job = 1000 * round + 1; true; job++) {
      writeEnds(folder, stage);
      AttemptId id = new AttemptId(job, 1);
      String on =
          random.nextInt(3) == 0 ? "left:1,right:1" : random.nextBoolean() ? "left:2" : "right:1";
      try {
        stage.launch(id, on, script(folder));
        stage.launch(id, on, script(folder));
        System.out.println("launched");
        if (random.nextInt(4) == 0) {
          stage.engine().stop(id, 1);
        }
      } catch (IOException e) {
        job--; // No room: again, with the same number.
        Waiting.pause(20);
      }
    }
  }

  /** Ends with the job's number modulo 5. */
  private static String script(Path folder) {
    return """
    echo "start $RINGMASTER_JOB.$RANK" >>'%s'
    sleep 0.0$((RINGMASTER_JOB %% 7))
    exit $((RINGMASTER_JOB %% 5))
    """
        .formatted(folder.resolve("runs"));
  }

  static void writeEnds(Path folder, AllocationStage stage) throws IOException {
    for (Status status : stage.engine().observe().attempts()) {
      if (status.phase().isEnd()) {
        Files.writeString(
            folder.resolve("told"),
            status.attempt().job() + " " + status.phase() + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
    }
  }
}
