package io.ringmaster.experiments;

import java.util.List;

/**
 * A plot of an experiment.
 *
 * @param name of its file, without ending
 * @param logarithmic whether the vertical axis is
 */
public record Plot(
    String name,
    String title,
    String horizontal,
    String vertical,
    boolean logarithmic,
    List<Series> series) {

  /** With equal steps on the vertical axis. */
  public Plot(String name, String title, String horizontal, String vertical, List<Series> series) {
    this(name, title, horizontal, vertical, false, series);
  }

  /**
   * A line of a plot.
   *
   * @param paper whether the numbers are the paper's: drawn dashed
   */
  public record Series(String name, List<Point> points, boolean paper) {}

  /**
   * A point of a line.
   *
   * @param halfWidth of the 95 % interval; 0 if there is none
   */
  public record Point(double x, double y, double halfWidth) {}
}
