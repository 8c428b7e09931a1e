package io.ringmaster.experiments;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * An experiment of a paper, run again. It returns numbers; the command line makes tables, plots and
 * files of them. The same number of draws gives the same rows, whatever the number of threads.
 */
public interface Experiment {
  String name();

  /** One sentence on what is compared. */
  String summary();

  String source();

  /** As many draws as tell policies apart and take minutes, not hours. */
  default int defaultDraws() {
    return 30;
  }

  /**
   * The setting whose values are the columns of tables for a person; empty: none. Such tables have
   * no column for the paper.
   */
  default String columns() {
    return "";
  }

  /** The page of the repository that says what came out and where it differs from the paper. */
  default String docs() {
    return "docs/experiments/" + name() + ".md";
  }

  /** How much work a run with so many draws is, in the unit that {@code run} reports. */
  long steps(int draws);

  /**
   * Runs it.
   *
   * @param draws how many random workloads each figure is the mean of
   * @param done told how many steps are done, from any thread
   */
  Results run(int draws, int threads, LongConsumer done);

  /** All rows, in a fixed order, the plots that show them, and what was expected of them. */
  record Results(List<Row> rows, List<Plot> plots, List<Check> checks) {
    public Results(List<Row> rows, List<Plot> plots) {
      this(rows, plots, List.of());
    }
  }

  /**
   * Something that was expected to be at most so large.
   *
   * @param what is measured, in words
   */
  record Check(String what, double measured, double limit) {
    public boolean holds() {
      return measured <= limit;
    }
  }
}
