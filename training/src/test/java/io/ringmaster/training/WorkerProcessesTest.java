package io.ringmaster.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers as an engine starts and stops them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerProcessesTest {
  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();
  private int attempt;

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void stoppedAndGoneOnWithOtherNumbersOfWorkers() throws Exception {
    String[] options = {"--samples", "19990", "--pace", "5ms", "--batch", "16"};
    long before = 0;
    for (int workers : new int[] {1, 4}) {
      List<Process> ring = start(workers, options);
      awaitSamples(before + 1);
      ring.forEach(Process::destroy);
      for (Process worker : ring) {
        assertThat(worker.waitFor()).as(log()).isEqualTo(Worker.STOPPED);
      }
      long after = saved(options).samples;
      assertThat(after).isGreaterThan(before);
      // The last line is that of the checkpoint.
      assertThat(lines().getLast()).contains("\"samples\": %d,".formatted(after));
      before = after;
    }
    List<Process> last = start(2, options);
    for (Process worker : last) {
      assertThat(worker.waitFor()).as(log()).isEqualTo(Worker.DONE);
    }
    assertThat(saved(options).samples).isEqualTo(19_990);
    assertThat(log()).contains("goes on after sample " + before).contains("held-out accuracy ");
    assertThat(lines().getFirst())
        .matches(
            "\\{\"at_s\": \\d{10}\\.\\d{3}, \"done\": 0.0, \"iteration\": 0, \"samples\": 0,"
                + " \"workers\": 1}");
    assertThat(lines().getLast())
        .matches(
            "\\{\"at_s\": \\d{10}\\.\\d{3}, \"done\": 1.0, \"iteration\": \\d+,"
                + " \"samples\": 19990, \"loss\": [0-9.]+, \"workers\": 2}");
  }

  @Test
  void aKilledWorkerEndsTheOthersAndLittleIsLost() throws Exception {
    String[] options = {"--samples", "10000000", "--pace", "5ms", "--checkpoint-every", "1000s"};
    List<Process> ring = start(3, options);
    awaitSamples(500);
    ring.get(1).destroyForcibly();
    assertThat(ring.get(0).waitFor()).isEqualTo(Worker.FAILED);
    assertThat(ring.get(2).waitFor()).isEqualTo(Worker.FAILED);
    assertThat(log()).containsPattern("worker: rank 2 lost the ring: rank 1 is gone: ");
    assertThat(saved(options).samples).isGreaterThanOrEqualTo(500);
  }

  @Test
  void aStopWhileItSavesLosesNothing() throws Exception {
    String[] options = {"--samples", "100000000", "--checkpoint-every", "0s", "--hidden", "128"};
    SplittableRandom random = new SplittableRandom(1);
    long before = 0;
    for (int round = 0; round < 8; round++) {
      Process worker = start(1, options).getFirst();
      if (round == 0) {
        awaitSamples(1);
      }
      Thread.sleep(random.nextInt(100, 400));
      if (random.nextBoolean()) {
        worker.destroy();
      } else {
        worker.destroyForcibly();
      }
      assertThat(worker.waitFor()).isIn(Worker.STOPPED, 137);
      long after = saved(options).samples;
      assertThat(after).isGreaterThanOrEqualTo(before);
      before = after;
    }
    assertThat(before).isPositive();
  }

  @Test
  void mistakesAreOneLine() throws Exception {
    Process worker = start(1, "--batch", "none").getFirst();
    assertThat(worker.waitFor()).isEqualTo(Worker.BAD_INPUT);
    assertThat(log()).isEqualTo("worker: --batch: 'none' is not a whole number from 1 to 4096\n");
  }

  private List<Process> start(int workers, String... options) throws IOException {
    attempt++;
    int port = RingOfThreads.freePort();
    List<Process> ring = new ArrayList<>();
    for (int rank = 0; rank < workers; rank++) {
      ProcessBuilder builder =
          new ProcessBuilder(Worker.command(options))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
      builder
          .environment()
          .putAll(
              Map.of(
                  "RANK", Integer.toString(rank),
                  "WORLD_SIZE", Integer.toString(workers),
                  "MASTER_ADDR", "127.0.0.1",
                  "MASTER_PORT", Integer.toString(port),
                  "RINGMASTER_JOB", "1",
                  "RINGMASTER_ATTEMPT", Integer.toString(attempt),
                  "RINGMASTER_CHECKPOINT_DIR", folder.toString(),
                  "RINGMASTER_PROGRESS", folder.resolve("progress").toString()));
      ring.add(builder.start());
    }
    started.addAll(ring);
    return ring;
  }

  private void awaitSamples(long samples) throws Exception {
    while (lines().stream().noneMatch(line -> samplesOf(line) >= samples)) {
      assertThat(started.getLast().isAlive()).as(log()).isTrue();
      Thread.sleep(20);
    }
  }

  private static long samplesOf(String line) {
    String rest = line.substring(line.indexOf("\"samples\": ") + "\"samples\": ".length());
    return Long.parseLong(rest.substring(0, rest.indexOf(',')));
  }

  private List<String> lines() throws IOException {
    Path file = folder.resolve("progress");
    return Files.exists(file)
        ? Arrays.stream(Files.readString(file).split("\n", -1)).filter(x -> !x.isEmpty()).toList()
        : List.of();
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  private Progress saved(String... options) throws IOException {
    return new Checkpoint(folder).load(WorkerOptions.parse(options));
  }
}
