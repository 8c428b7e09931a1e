package io.ringmaster.cli.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Processes of jobs, known by a variable that all have, and supervisors, by the data folder.
 *
 * @param mark {@code NAME=VALUE} in the environment of every job
 * @param folder where the server's data are
 */
record LeftProcesses(String mark, Path folder) {
  private static final int LOOKS = 50;
  private static final long PAUSE_MILLIS = 100;

  /** A process that is there, and the words that began it. */
  record Left(long pid, String command) {}

  /** Those that are still there after a while. */
  List<Left> find() throws InterruptedException {
    List<Left> found = now();
    for (int look = 1; look < LOOKS && !found.isEmpty(); look++) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      found = now();
    }
    return found;
  }

  List<Left> now() {
    List<Left> found = new ArrayList<>();
    for (Path each : all()) {
      String command = read(each.resolve("cmdline"));
      if (read(each.resolve("environ")).contains(mark)
          || (command.contains("supervise.sh") && command.contains(folder.toString()))) {
        found.add(
            new Left(
                Long.parseLong(each.getFileName().toString()), command.replace('\0', ' ').strip()));
      }
    }
    return found;
  }

  /** Ends them, so that a run that failed leaves nothing behind. */
  void kill() {
    now().forEach(left -> ProcessHandle.of(left.pid).ifPresent(ProcessHandle::destroyForcibly));
  }

  /** The folders of all processes. */
  static List<Path> all() {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(p -> p.getFileName().toString().matches("\\d+")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is there of a file of a process; nothing if it has ended, or is not ours. */
  static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
