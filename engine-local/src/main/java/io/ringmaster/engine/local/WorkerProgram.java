package io.ringmaster.engine.local;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a shell reads, and becomes: a worker. Each word is between single quotes, in which a shell
 * leaves everything as it is.
 */
public final class WorkerProgram {
  /** Variables that some shell does not let be set, or not to everything: env sets them. */
  private static final Set<String> SHELLS_OWN =
      Set.of("UID", "EUID", "PPID", "OPTIND", "SHELLOPTS", "BASHOPTS", "GROUPS", "FUNCNAME", "_");

  /** Below what Linux takes, 2 MB with its usual stack, with room for what the script adds. */
  private static final int MOST_BYTES = 1_500_000;

  private static final int BYTES_PER_WORD = 9;

  private WorkerProgram() {}

  /** No system would start it. */
  public static final class TooLong extends Exception {
    private static final long serialVersionUID = 1;

    TooLong(String why) {
      super(why);
    }
  }

  /** Goes to a directory, sets variables, and becomes the command. */
  public static String text(List<String> command, String directory, Map<String, String> environment)
      throws TooLong {
    StringBuilder text = new StringBuilder();
    StringBuilder byEnv = new StringBuilder();
    long bytes = 0;
    text.append("umask 022\ncd ").append(quoted(directory)).append(" || exit 126\n");
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      String setting = variable.getKey() + "=" + variable.getValue();
      bytes += bytes(setting);
      if (SHELLS_OWN.contains(variable.getKey())) {
        byEnv.append(byEnv.isEmpty() ? "env " : " ").append(quoted(setting));
      } else {
        text.append("export ").append(quoted(setting)).append('\n');
      }
    }
    text.append("set --");
    for (String word : command) {
      bytes += bytes(word);
      text.append(' ').append(quoted(word));
    }
    if (bytes > MOST_BYTES) {
      throw new TooLong("command and environment are longer than %d bytes".formatted(MOST_BYTES));
    }
    return text.append("\nexec ").append(byEnv).append(" \"$@\" </dev/null\n").toString();
  }

  private static int bytes(String word) {
    return word.getBytes(StandardCharsets.UTF_8).length + 1 + BYTES_PER_WORD;
  }

  /** As a shell reads it, and gives it back as it was. */
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
