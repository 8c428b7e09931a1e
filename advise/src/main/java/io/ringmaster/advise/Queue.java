package io.ringmaster.advise;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import java.util.List;

/**
 * A site's queue at a moment, and what is known of its past then. Whoever knows a queue, from a
 * file or from a running cluster, makes one of these.
 *
 * @param nowSeconds on the clock of all times here; since 1970 if the site has a calendar
 * @param waiting those that never ran, in the order in which they are served
 * @param held jobs that may not start whatever is free
 * @param ended what became of jobs before now; any order
 * @param notes what whoever reads an answer should know; sentences
 */
public record Queue(
    double nowSeconds,
    Cluster cluster,
    List<Running> running,
    List<Stopped> stopped,
    List<Job> waiting,
    List<Held> held,
    List<Ended> ended,
    List<String> notes) {

  /** Below this a time is counted from some beginning, and is no date. */
  private static final double EARLIEST_DATE = 5e8;

  /** What jobs may have in common that take about as long; texts may be empty. */
  public record Kind(String user, String group, int gpus) {}

  /**
   * A job as it was handed in.
   *
   * @param limitSeconds after which it is ended; infinite if there is no limit
   * @param expectedSeconds how long the site's scheduler expected it to take when it came; NaN: as
   *     long as it does take
   * @param expectedSpread by how much that may be off: the deviation of its logarithm
   */
  public record Job(
      String id,
      Kind kind,
      double submitSeconds,
      double limitSeconds,
      double expectedSeconds,
      double expectedSpread,
      Demand demand) {
    public int gpus() {
      return kind.gpus();
    }
  }

  /** A job that ran for so long, was stopped, and waits to go on. */
  public record Stopped(Job job, double elapsedSeconds) {}

  /** A job that runs. */
  public record Running(Job job, double elapsedSeconds, Placement placement) {}

  /**
   * A job that may not start.
   *
   * @param because in the site's words, or ours
   */
  public record Held(Job job, String because) {}

  /**
   * A job of the past.
   *
   * @param startSeconds NaN if nobody knows
   */
  public record Ended(Job job, double startSeconds, double lengthSeconds) {}

  /** Whether times are dates. */
  public boolean hasCalendar() {
    return nowSeconds > EARLIEST_DATE;
  }
}
