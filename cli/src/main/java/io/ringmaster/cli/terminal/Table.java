package io.ringmaster.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table that a person can read: the first column to the left, the others to the right unless told
 * otherwise. Where the terminal is too narrow, columns that matter less are left out, and columns
 * of words become narrow ones of several lines.
 */
public final class Table {
  private static final String GAP = "  ";

  /** A column of words is not made narrower than this while there are columns to leave out. */
  private static final int WORDS_COLUMNS = 24;

  /** Nor ever narrower than this: then lines are too long after all. */
  private static final int FEWEST_COLUMNS = 10;

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();
  private final Set<String> toTheLeft = new HashSet<>();
  private final Set<String> words = new HashSet<>();
  private final List<String> optional = new ArrayList<>();

  public Table(String... header) {
    this(List.of(header));
  }

  public Table(List<String> header) {
    this.header = List.copyOf(header);
  }

  /** Columns of single words, by their names. */
  public Table left(String... columns) {
    toTheLeft.addAll(List.of(columns));
    return this;
  }

  /**
   * Columns of names and sentences, which may take several lines. Not for a first column of other
   * people's words: what they wrote would begin a line.
   */
  public Table words(String... columns) {
    words.addAll(List.of(columns));
    return left(columns);
  }

  /**
   * Columns that are left out where the terminal is too narrow for all, the first of these first. A
   * command with such a table has the option {@code --wide}.
   */
  public Table optional(String... columns) {
    optional.addAll(List.of(columns));
    return this;
  }

  public void row(List<String> cells) {
    rows.add(cells.stream().map(Shown::line).toList());
  }

  public void row(String... cells) {
    row(List.of(cells));
  }

  /** A line across all columns, above the rows that belong to it. */
  public void heading(String text) {
    rows.add(List.of(Shown.line(text)));
  }

  /** As it fits the terminal. */
  public String text() {
    return text(Terminal.columns());
  }

  /** As it fits so many columns; says how to see those that were left out. */
  public String text(int columns) {
    List<Integer> shown = IntStream.range(0, header.size()).boxed().collect(Collectors.toList());
    int[] widths = new int[header.size()];
    Arrays.setAll(widths, this::width);
    List<String> left = new ArrayList<>(optional);
    List<String> out = new ArrayList<>();
    while (!left.isEmpty() && narrowest(shown, widths) > columns) {
      String column = left.removeFirst();
      out.add(column);
      shown.remove(Integer.valueOf(header.indexOf(column)));
    }
    narrow(shown, widths, columns);
    StringBuilder text = new StringBuilder();
    line(text, shown, widths, header);
    line(text, shown, widths, Arrays.stream(widths).mapToObj("-"::repeat).toList());
    rows.forEach(row -> line(text, shown, widths, row));
    if (!out.isEmpty()) {
      text.append(
          Prose.wrapped(
              "(--wide also shows: %s)"
                  .formatted(String.join("; ", header.stream().filter(out::contains).toList()))));
    }
    return text.toString();
  }

  private int width(int column) {
    int widest = header.get(column).length();
    for (List<String> row : rows) {
      widest = Math.max(widest, isHeading(row) ? 0 : row.get(column).length());
    }
    return widest;
  }

  private boolean isHeading(List<String> row) {
    return row.size() < header.size();
  }

  /** Of the line, if columns of words are as narrow as they may well be. */
  private int narrowest(List<Integer> shown, int[] widths) {
    int[] least = widths.clone();
    shown.stream()
        .filter(this::isWords)
        .forEach(i -> least[i] = Math.min(widths[i], Math.max(WORDS_COLUMNS, titled(i))));
    return total(shown, least);
  }

  private boolean isWords(int column) {
    return words.contains(header.get(column));
  }

  private int titled(int column) {
    return header.get(column).length();
  }

  private static int total(List<Integer> shown, int[] widths) {
    return shown.stream().mapToInt(i -> widths[i]).sum() + GAP.length() * (shown.size() - 1);
  }

  /** Takes from the widest column of words until all fits, or nothing can be taken. */
  private void narrow(List<Integer> shown, int[] widths, int columns) {
    for (int over = total(shown, widths) - columns; over > 0; over--) {
      int widest = -1;
      for (int i : shown) {
        if (isWords(i)
            && widths[i] > Math.max(FEWEST_COLUMNS, titled(i))
            && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        return;
      }
      widths[widest]--;
    }
  }

  private void line(StringBuilder out, List<Integer> shown, int[] widths, List<String> cells) {
    if (isHeading(cells)) {
      out.append(Prose.wrapped(cells.getFirst()));
      return;
    }
    List<List<String>> parts = new ArrayList<>();
    for (int i : shown) {
      parts.add(Prose.lines(cells.get(i), widths[i], true));
    }
    int height = parts.stream().mapToInt(List::size).max().orElse(0);
    for (int at = 0; at < height; at++) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < parts.size(); column++) {
        int i = shown.get(column);
        List<String> own = parts.get(column);
        String cell = at < own.size() ? own.get(at) : "";
        String pad = " ".repeat(widths[i] - cell.length());
        boolean left = column == 0 || toTheLeft.contains(header.get(i));
        line.append(column == 0 ? "" : GAP).append(left ? cell + pad : pad + cell);
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
  }
}
