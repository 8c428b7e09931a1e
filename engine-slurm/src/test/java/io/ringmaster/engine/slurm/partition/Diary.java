package io.ringmaster.engine.slurm.partition;

import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs of an ordinary user, who knows nothing of Ringmaster. Each adds a line to a file when it
 * starts and one when it is done, so that it can be seen what was done how often.
 */
final class Diary {
  private final SlurmTestbed testbed;
  private final Path file;

  Diary(SlurmTestbed testbed) throws IOException {
    this.testbed = testbed;
    this.file = Files.createTempFile(testbed.folder(), "diary", "");
    file.toFile().setWritable(true, false);
  }

  /** Runs a command of Slurm's as that user. */
  String asUser(String... words) {
    List<String> command =
        new ArrayList<>(List.of("setpriv", "--reuid=games", "--regid=games", "--clear-groups"));
    command.addAll(List.of(words));
    return testbed.run(command.toArray(String[]::new)).strip();
  }

  /** Submits a job that takes so long. Returns its id in Slurm. */
  String sbatch(double seconds, String... options) {
    List<String> words = new ArrayList<>(List.of("-p", "ring"));
    words.addAll(List.of(options));
    words.add("--wrap=" + script(seconds));
    return submit(words.toArray(String[]::new));
  }

  /** Submits what these words say. */
  String submit(String... options) {
    List<String> words =
        new ArrayList<>(List.of("sbatch", "--parsable", "-D", "/tmp", "-o", "/dev/null"));
    words.addAll(List.of(options));
    return asUser(words.toArray(String[]::new));
  }

  String script(double seconds) {
    return "echo start $SLURM_JOB_ID $SLURM_JOB_NODELIST $CUDA_VISIBLE_DEVICES >>%1$s; sleep %2$s; echo done $SLURM_JOB_ID >>%1$s"
        .formatted(file, seconds);
  }

  Path file() {
    return file;
  }

  List<String> lines() {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long done(String id) {
    return lines().stream().filter(line -> line.equals("done " + id)).count();
  }

  long starts(String id) {
    return startsOf(id).size();
  }

  boolean hasStarted(String id) {
    return starts(id) > 0;
  }

  /** The nodes of its last start, as Slurm writes them. */
  String nodes(String id) {
    return startsOf(id).getLast().split(" ", -1)[2];
  }

  /** How many GPUs it had on a node at each of its starts. */
  List<Integer> gpus(String id) {
    return startsOf(id).stream().map(line -> line.split(" ", -1)[3].split(",", -1).length).toList();
  }

  private List<String> startsOf(String id) {
    return lines().stream().filter(line -> line.startsWith("start " + id + " ")).toList();
  }
}
