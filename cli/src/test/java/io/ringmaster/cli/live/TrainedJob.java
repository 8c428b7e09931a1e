package io.ringmaster.cli.live;

import io.ringmaster.control.job.JobState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A submitted job that runs {@code train.sh}, and what it left behind as evidence.
 *
 * @param log what the job itself writes, beside the server's data
 */
record TrainedJob(long id, int iterations, Path log) {

  /** Puts the program into a folder. */
  static Path script(Path folder) throws IOException {
    Path script = folder.resolve("train.sh");
    try (InputStream in =
        Objects.requireNonNull(TrainedJob.class.getResourceAsStream("/live/train.sh"))) {
      Files.copy(in, script);
    }
    return script;
  }

  /**
   * What a job saved has each iteration once and in order, by attempts in order. Its log, which all
   * attempts write to, never goes back to an earlier attempt: no two ran at the same time. Nor does
   * an attempt write after the server took it for ended.
   *
   * @return what is wrong
   */
  List<String> check(Path data, List<Fields> history) throws IOException {
    List<String> wrong = new ArrayList<>();
    List<String> saved = lines(data.resolve("checkpoints/" + id + "/saved"));
    List<String> numbers = saved.stream().map(line -> line.split(" ", -1)[0]).toList();
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= iterations; i++) {
      expected.add(Integer.toString(i));
    }
    expected.add("done");
    if (!numbers.equals(expected)) {
      wrong.add("job %d saved %s and not 1 to %d, done".formatted(id, saved, iterations));
    }
    int last = 0;
    for (String line : lines(log)) {
      int attempt = Integer.parseInt(line.split(" ", -1)[1]);
      double at = Double.parseDouble(line.split(" ", -1)[2]);
      if (at > endSeconds(history, attempt)) {
        wrong.add("job %d: '%s' is after the end of that attempt".formatted(id, line));
      }
      if (attempt < last) {
        wrong.add("job %d: attempt %d went on after %d began".formatted(id, attempt, last));
      }
      last = attempt;
    }
    List<String> starts = lines(log).stream().filter(l -> l.startsWith("start ")).toList();
    if (starts.stream().map(l -> l.split(" ", -1)[1]).distinct().count() != starts.size()) {
      wrong.add("job %d: an attempt began twice: %s".formatted(id, starts));
    }
    return wrong;
  }

  /** When the server knew that an attempt had ended. */
  private static double endSeconds(List<Fields> history, int attempt) {
    boolean begun = false;
    for (Fields entry : history) {
      boolean ofIt = entry.whole("attempt") == attempt;
      begun |= ofIt && entry.text("to").equals("starting");
      boolean holds = JobState.of(entry.text("to")).holdsGpus();
      if (begun && (!ofIt || !holds)) {
        return entry.number("at_s");
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }
}
