package io.ringmaster.cli.demo;

import io.ringmaster.control.job.Allocation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The demo as a picture of text: which job has which GPUs, how far each job is, what happened last.
 *
 * @param policy with its settings
 * @param url where the dashboard is
 * @param nodes names and GPUs
 * @param jobs those submitted so far
 * @param coming jobs that are still to be submitted
 * @param news what happened, the last at the end
 */
record Board(
    String policy,
    String url,
    double elapsedSeconds,
    Map<String, Integer> nodes,
    List<Row> jobs,
    int coming,
    List<String> news) {

  private static final int LONGEST_BAR = 20;
  private static final int SHORTEST_BAR = 5;

  /** What a row is wide beside its bar. */
  private static final int BESIDE_BAR = 64;

  private static final String ESCAPE = "\u001b[";
  private static final String PLAIN = ESCAPE + "0m";

  /** Colours of 256 that can be told apart on dark and light. */
  private static final int[] COLOURS = {39, 208, 34, 171, 178, 203, 44, 99, 148, 169, 75, 137};

  /**
   * A job.
   *
   * @param allocation GPUs that it has now; empty: none
   * @param loss NaN: not told yet
   */
  record Row(
      long id,
      String name,
      String state,
      String allocation,
      double done,
      double loss,
      long restarts) {

    int workers() {
      return allocation.isEmpty() ? 0 : Allocation.of(allocation).workers();
    }
  }

  /**
   * The picture's lines.
   *
   * @param height no more lines than that; what happened first is left out first
   */
  List<String> lines(int width, int height, boolean coloured) {
    List<String> lines = new ArrayList<>();
    int busy = jobs.stream().mapToInt(Row::workers).sum();
    int gpus = nodes.values().stream().mapToInt(n -> n).sum();
    lines.add(
        cut(
            "ringmaster demo  %s  %s  %d of %d GPUs  policy %s"
                .formatted(url, clock(elapsedSeconds), busy, gpus, policy),
            width));
    lines.add("");
    lines.add(strip(coloured));
    lines.add("");
    int bar = Math.clamp(width - BESIDE_BAR, SHORTEST_BAR, LONGEST_BAR);
    String progress = "progress" + " ".repeat(bar - 2);
    lines.add(
        cut("   job         state          workers  " + progress + "     loss  restarts", width));
    for (Row row : jobs) {
      lines.add(row(row, width, bar, coloured));
    }
    if (coming > 0) {
      lines.add(
          coming == 1
              ? "   1 job is still to come"
              : "   %d jobs are still to come".formatted(coming));
    }
    lines.add("");
    int room = Math.max(0, height - lines.size());
    news.subList(Math.max(0, news.size() - room), news.size()).stream()
        .map(line -> cut(line, width))
        .forEach(lines::add);
    return lines.subList(0, Math.min(lines.size(), height));
  }

  /** Every GPU as the letter of its job. */
  private String strip(boolean coloured) {
    Map<String, StringBuilder> letters = new LinkedHashMap<>();
    nodes.keySet().forEach(node -> letters.put(node, new StringBuilder()));
    Map<String, Integer> used = new LinkedHashMap<>();
    for (Row row : jobs) {
      if (row.allocation.isEmpty()) {
        continue;
      }
      for (Allocation.Share share : Allocation.of(row.allocation).shares()) {
        StringBuilder on = letters.get(share.node());
        if (on != null) {
          on.append(paint(letter(row).repeat(share.gpus()), row, coloured));
          used.merge(share.node(), share.gpus(), Integer::sum);
        }
      }
    }
    StringBuilder strip = new StringBuilder("   ");
    nodes.forEach((node, gpus) ->
        strip
            .append(node)
            .append(" [")
            .append(letters.get(node))
            .append(".".repeat(Math.max(0, gpus - used.getOrDefault(node, 0))))
            .append("]   "));
    return strip.toString().stripTrailing();
  }

  private static String row(Row row, int width, int bar, boolean coloured) {
    int full = (int) Math.round(bar * Math.clamp(row.done, 0, 1));
    String rest =
        "%-11s %-14s %7s  %s %3.0f %%  %7s  %8d"
            .formatted(
                row.name,
                row.state,
                row.workers() == 0 ? "-" : Integer.toString(row.workers()),
                "█".repeat(full) + "░".repeat(bar - full),
                Math.floor(100 * row.done),
                Double.isNaN(row.loss) ? "-" : String.format(Locale.ROOT, "%.3f", row.loss),
                row.restarts);
    return paint(letter(row), row, coloured) + "  " + cut(rest, width - 3);
  }

  static String letter(Row row) {
    return Character.toString('a' + (int) ((row.id - 1) % 26));
  }

  private static String paint(String text, Row row, boolean coloured) {
    int colour = COLOURS[(int) ((row.id - 1) % COLOURS.length)];
    return coloured ? ESCAPE + "38;5;" + colour + "m" + text + PLAIN : text;
  }

  static String clock(double seconds) {
    long whole = (long) seconds;
    return String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
  }

  private static String cut(String line, int width) {
    return line.length() <= width ? line : line.substring(0, Math.max(0, width - 1)) + "…";
  }
}
