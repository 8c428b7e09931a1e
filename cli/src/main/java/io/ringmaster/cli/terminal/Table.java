package io.ringmaster.cli.terminal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A table that a person can read: the first column to the left, the others to the right unless told
 * otherwise.
 */
public final class Table {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();
  private final Set<String> toTheLeft = new HashSet<>();

  public Table(String... header) {
    this.header = List.of(header);
  }

  /** Columns of words, by their names. */
  public Table left(String... columns) {
    toTheLeft.addAll(List.of(columns));
    return this;
  }

  public Table(List<String> header) {
    this.header = List.copyOf(header);
  }

  public void row(List<String> cells) {
    rows.add(cells.stream().map(Shown::line).toList());
  }

  public void row(String... cells) {
    row(List.of(cells));
  }

  public String text() {
    int[] widths = new int[header.size()];
    measure(widths, header);
    rows.forEach(row -> measure(widths, row));
    StringBuilder out = new StringBuilder();
    line(out, widths, header);
    for (int i = 0; i < widths.length; i++) {
      out.append(i == 0 ? "" : "  ").append("-".repeat(widths[i]));
    }
    out.append('\n');
    rows.forEach(row -> line(out, widths, row));
    return out.toString();
  }

  private static void measure(int[] widths, List<String> cells) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], cells.get(i).length());
    }
  }

  private void line(StringBuilder out, int[] widths, List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String pad = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ");
      boolean left = i == 0 || toTheLeft.contains(header.get(i));
      line.append(left ? cells.get(i) + pad : pad + cells.get(i));
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }
}
