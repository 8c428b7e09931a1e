package io.ringmaster.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Sentences in lines that fit the terminal. */
public final class Prose {
  /** Longer lines are hard to read, however wide the terminal is. */
  private static final int LONGEST_LINE = 100;

  private Prose() {}

  /** A paragraph, with the end of its last line. */
  public static String wrapped(String text) {
    return wrapped("", text);
  }

  /**
   * A paragraph, with the end of its last line.
   *
   * @param lead what stands before its first line; those below begin where its words do
   */
  public static String wrapped(String lead, String text) {
    String below = " ".repeat(lead.length());
    int columns = Math.min(LONGEST_LINE, Terminal.columns()) - lead.length();
    StringBuilder out = new StringBuilder();
    for (String line : lines(text, columns, false)) {
      out.append(out.isEmpty() ? lead : below).append(line).append('\n');
    }
    return out.toString();
  }

  /**
   * Words in lines of at most so many columns.
   *
   * @param breaks whether a word that is longer is broken; else it stands out
   */
  static List<String> lines(String text, int columns, boolean breaks) {
    if (text.length() <= columns) {
      return List.of(text);
    }
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > columns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
      while (breaks && line.length() > columns) {
        int end = joint(line, columns);
        lines.add(line.substring(0, end));
        line.delete(0, end);
      }
    }
    lines.add(line.toString());
    return lines;
  }

  /** Where to break a word that is too long: behind a sign in its second half, if there is one. */
  private static int joint(CharSequence word, int columns) {
    for (int end = columns; end > columns / 2; end--) {
      if ("-_/.,:=".indexOf(word.charAt(end - 1)) >= 0) {
        return end;
      }
    }
    return columns;
  }
}
