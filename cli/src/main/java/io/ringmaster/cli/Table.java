package io.ringmaster.cli;

import java.util.ArrayList;
import java.util.List;

/** A table that a person can read: the first column to the left, the others to the right. */
final class Table {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... header) {
    this.header = List.of(header);
  }

  Table(List<String> header) {
    this.header = List.copyOf(header);
  }

  void row(List<String> cells) {
    rows.add(List.copyOf(cells));
  }

  void row(String... cells) {
    row(List.of(cells));
  }

  String text() {
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

  private static void line(StringBuilder out, int[] widths, List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String pad = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ");
      line.append(i == 0 ? cells.get(i) + pad : pad + cells.get(i));
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }
}
