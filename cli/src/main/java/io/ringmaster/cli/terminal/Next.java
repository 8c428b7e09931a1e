package io.ringmaster.cli.terminal;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** What to do next, told when a command is done. Goes to standard error: results are results. */
public final class Next {
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private Next() {}

  /**
   * Says it.
   *
   * @param done what was done, in a sentence
   * @param command what to type
   */
  public static void say(String done, String command) {
    System.err.print(Prose.wrapped(done));
    System.err.println("Next: " + command);
  }

  /** A path as a shell reads it. */
  public static String path(Path path) {
    String text = path.toString();
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
