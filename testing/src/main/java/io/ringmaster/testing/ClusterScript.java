package io.ringmaster.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A script of {@code testbed/}, and the folder that it keeps a cluster in.
 *
 * @param script its path
 */
record ClusterScript(Path script, Path folder) {
  private static final int LIMIT_SECONDS = 120;

  /** What a command said at its end; -1 if there was none. */
  record Called(int code, String said) {}

  /** One of {@code testbed/}, with a new folder. */
  static ClusterScript of(String kind) throws IOException {
    return new ClusterScript(script(kind), Files.createTempDirectory("ringmaster-" + kind));
  }

  static Path script(String kind) {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path script = at.resolve("testbed").resolve(kind).resolve("cluster");
      if (Files.isExecutable(script)) {
        return script;
      }
    }
    throw new IllegalStateException("no testbed/%s/cluster above this folder".formatted(kind));
  }

  /** Words before those of a command that the script runs. */
  List<String> prefix(String word, String... more) {
    List<String> words = new ArrayList<>(List.of(script.toString(), word, folder.toString()));
    words.addAll(List.of(more));
    return words;
  }

  /** What a word of the script printed. Fails if that does. */
  String checked(Map<String, String> settings, String word, String... arguments) {
    List<String> command = prefix(word, arguments);
    Called called = call(command, settings);
    if (called.code != 0) {
      throw new IllegalStateException(String.join(" ", command) + " failed: " + called.said);
    }
    return called.said;
  }

  static Called call(List<String> command, Map<String, String> settings) {
    try {
      Path output = Files.createTempFile("ringmaster-testbed", ".out");
      // A file, not a pipe: servers inherit it, and would keep a pipe open.
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.environment().putAll(settings);
      Process process = builder.start();
      boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      String said = Files.readString(output);
      Files.delete(output);
      if (!ended) {
        process.destroyForcibly();
        return new Called(-1, "no end within " + LIMIT_SECONDS + " s; " + said);
      }
      return new Called(process.exitValue(), said);
    } catch (IOException e) {
      return new Called(-1, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
