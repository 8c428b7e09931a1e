package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.testing.SlurmTestbed;
import io.ringmaster.training.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of examples/ over nodes with networks of their own: stopped with two workers, they
 * go on with three. Started by hand, with the variables that an engine gives.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ExamplesOnNodesTest {
  private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath().normalize();
  private static @Nullable SlurmTestbed testbed;

  @TempDir Path folder;
  private final List<Process> ranks = new ArrayList<>();

  @BeforeAll
  static void up() {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    testbed = SlurmTestbed.up(Map.of("NODES", "3"));
  }

  @AfterAll
  static void down() {
    if (testbed != null) {
      testbed.close();
    }
  }

  @AfterEach
  void end() {
    ranks.forEach(Process::destroyForcibly);
  }

  @Test
  void theWorkerGoesOn() throws Exception {
    goesOn(
        Worker.command("--samples", "1000000", "--pace", "20ms"),
        "begins, workers 2",
        "goes on after sample \\d+, workers 3");
  }

  @Test
  void pytorchGoesOn() throws Exception {
    assumeTrue(
        Files.isDirectory(Path.of("/usr/lib/python3/dist-packages/torch")),
        "PyTorch is not installed (Debian: apt-get install python3-torch)");
    goesOn(
        List.of("/usr/bin/python3", EXAMPLES.resolve("pytorch/train.py").toString()),
        "begins, workers 2",
        "goes on after sample \\d+, workers 3");
  }

  @Test
  void mpiGoesOn() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/mpicc"))
            && Files.isExecutable(Path.of("/usr/bin/mpirun")),
        "MPI is not installed (Debian: apt-get install openmpi-bin libopenmpi-dev)");
    goesOn(
        List.of("sh", "-c", "cd " + EXAMPLES.resolve("mpi") + " && exec sh run.sh"),
        "begins at sample 0, ranks 2",
        "goes on at sample \\d+, ranks 3");
  }

  private void goesOn(List<String> command, String first, String later) throws Exception {
    start(command, 1, 2);
    await(1, first);
    await(1, "iteration \\d+, loss");
    stop(1);
    start(command, 2, 3);
    await(2, later);
    stop(2);
  }

  private void start(List<String> command, int attempt, int workers) throws IOException {
    ranks.clear();
    for (int rank = 0; rank < workers; rank++) {
      List<String> words = new ArrayList<>(Objects.requireNonNull(testbed).prefix(node(rank)));
      words.addAll(List.of("env", "RANK=" + rank, "WORLD_SIZE=" + workers, "LOCAL_RANK=0"));
      words.addAll(List.of("LOCAL_WORLD_SIZE=1", "MASTER_ADDR=10.77.0.1"));
      words.addAll(List.of("MASTER_PORT=" + (29500 + attempt), "RINGMASTER_JOB=1"));
      words.addAll(List.of("RINGMASTER_ATTEMPT=" + attempt, "RINGMASTER_NODE=" + node(rank)));
      words.addAll(List.of("RINGMASTER_CHECKPOINT_DIR=" + folder, "PACE_MS=20"));
      words.addAll(List.of("RINGMASTER_LEARNING_RATE_SCALE=" + workers, "SAMPLES=100000000"));
      words.addAll(List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\""));
      words.add(file(attempt, rank, "pid").toString());
      words.addAll(command);
      ranks.add(
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(file(attempt, rank, "log").toFile())
              .start());
    }
  }

  private static String node(int rank) {
    return "n" + (rank + 1);
  }

  private Path file(int attempt, int rank, String ending) {
    return folder.resolve("%d.%d.%s".formatted(attempt, rank, ending));
  }

  private void await(int attempt, String pattern) throws Exception {
    Path log = file(attempt, 0, "log");
    while (!Pattern.compile(pattern).matcher(Files.readString(log)).find()) {
      assertThat(ranks.getFirst().isAlive()).as(Files.readString(log)).isTrue();
      Thread.sleep(50);
    }
  }

  /** Asks all of them to stop, each on its node, and waits until they have. */
  private void stop(int attempt) throws Exception {
    for (int rank = 0; rank < ranks.size(); rank++) {
      String pid = Files.readString(file(attempt, rank, "pid")).strip();
      // One that the others told in time has ended already.
      Objects.requireNonNull(testbed).on(node(rank), "sh", "-c", "kill -TERM " + pid + " || :");
    }
    for (Process rank : ranks) {
      rank.waitFor();
    }
    assertThat(ranks.getFirst().exitValue())
        .as(Files.readString(file(attempt, 0, "log")))
        .isEqualTo(143);
  }
}
