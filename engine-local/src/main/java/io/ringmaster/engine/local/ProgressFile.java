package io.ringmaster.engine.local;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * What a job says of its progress: lines of JSON, the last complete one with a {@code done} counts.
 * Only the end of the file is read, and only when the file grew.
 */
final class ProgressFile {
  private static final int TAIL_BYTES = 16_384;

  private final Path file;
  private final Path launched;
  private long knownSize;
  private double done = Double.NaN;

  /**
   * What is said in a file that all attempts of a job append to.
   *
   * @param launched a file that was written when the attempt was launched: what was said before is
   *     not its own
   */
  ProgressFile(Path file, Path launched) {
    this.file = file;
    this.launched = launched;
  }

  /** The share that is done; NaN: nobody has said. */
  double done() throws IOException {
    try {
      long size = Files.size(file);
      if (size != knownSize && isNewer()) {
        read(size);
        knownSize = size;
      }
    } catch (NoSuchFileException e) {
      // Nothing said yet.
    }
    return done;
  }

  private boolean isNewer() throws IOException {
    return Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(launched)) >= 0;
  }

  private void read(long size) throws IOException {
    int length = (int) Math.min(size, TAIL_BYTES);
    ByteBuffer tail = ByteBuffer.allocate(length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.position(size - length);
      while (tail.hasRemaining() && channel.read(tail) >= 0) {
        // Until it is full, or the file was cut.
      }
    }
    String text = new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8);
    int end = text.lastIndexOf('\n');
    while (end >= 0) {
      int start = end == 0 ? -1 : text.lastIndexOf('\n', end - 1);
      if (start < 0 && length < size) {
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
