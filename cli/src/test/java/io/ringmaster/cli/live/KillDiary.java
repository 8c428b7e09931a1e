package io.ringmaster.cli.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What jobs wrote down: a line when they start, and one when they are done.
 *
 * @param folder that all users may write to
 */
record KillDiary(Path folder) {
  /** An empty one. */
  static KillDiary open(Path folder) throws IOException {
    Path file = Files.createFile(folder.resolve("diary"));
    folder.toFile().setExecutable(true, false);
    folder.toFile().setWritable(true, false);
    file.toFile().setWritable(true, false);
    return new KillDiary(folder);
  }

  /**
   * As a job that saves its work: one that is run again when all is done finds that, and says so.
   * One that finds it only at its end ran beside another of itself.
   */
  String program(int number, double seconds) {
    return """
    if [ -e %1$s/done-%2$d ]; then echo again %2$d >>%1$s/diary; exit 0; fi
    echo start %2$d >>%1$s/diary
    sleep %3$.1f
    if mkdir %1$s/done-%2$d; then echo done %2$d >>%1$s/diary; else echo beside %2$d >>%1$s/diary; fi
    """
        .formatted(folder, number, seconds);
  }

  /** What stands behind a word, line by line. */
  List<String> lines(String word) {
    try {
      return Files.readAllLines(folder.resolve("diary")).stream()
          .filter(line -> line.startsWith(word + " "))
          .map(line -> line.substring(word.length() + 1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Set<String> done() {
    return new HashSet<>(lines("done"));
  }
}
