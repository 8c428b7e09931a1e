package io.ringmaster.engine.local;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a job says of its progress: lines of JSON, the last complete one with a {@code done} counts.
 * Only the end of the file is read, and only when its size changed. Used by one thread at a time.
 */
final class ProgressFile {
  private static final int TAIL_BYTES = 16_384;

  private final Path file;
  private final Path mark;
  private long begin = -1;
  private long knownSize;
  private double done = Double.NaN;

  /**
   * What is said in a file that all attempts of a job append to.
   *
   * @param mark says how long the file was when the attempt was launched: what was said before is
   *     not its own. Times would tell that too, but clocks are set back
   */
  ProgressFile(Path file, Path mark) {
    this.file = file;
    this.mark = mark;
  }

  /** The share that is done; NaN: nobody has said. */
  double done() throws IOException {
    long size;
    try {
      begin = begin < 0 ? DataFolder.mark(mark) : begin;
      size = UserFiles.size(file);
    } catch (NoSuchFileException e) {
      return done; // Nothing said yet, or it was never launched.
    }
    if (size < begin) {
      begin = 0; // Somebody wrote it anew, after the launch.
    }
    if (size != knownSize && size > begin) {
      read(size);
      knownSize = size;
    }
    return done;
  }

  private void read(long size) throws IOException {
    int length = (int) Math.min(size - begin, TAIL_BYTES);
    String text =
        StandardCharsets.UTF_8.decode(UserFiles.read(file, size - length, length)).toString();
    int end = text.lastIndexOf('\n');
    while (end >= 0) {
      int start = end == 0 ? -1 : text.lastIndexOf('\n', end - 1);
      if (start < 0 && length < size - begin) {
        return; // The first line of the tail may be the rest of a longer one.
      }
      double said = doneOf(text.substring(start + 1, end));
      if (!Double.isNaN(said)) {
        done = said;
        return;
      }
      end = start;
    }
  }

  private static double doneOf(String line) {
    if (!line.contains("\"done\"")) {
      return Double.NaN;
    }
    try {
      if (Json.parse(line) instanceof Map<?, ?> map && map.get("done") instanceof Number number) {
        double said = number.doubleValue();
        return said >= 0 && said <= 1 ? said : Double.NaN;
      }
    } catch (BadInput e) {
      // A user's file: what makes no sense says nothing.
    }
    return Double.NaN;
  }
}
