package io.ringmaster.predictor.contention;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.contention.ContentionLine.Errors;
import io.ringmaster.predictor.contention.ContentionLine.Form;
import java.util.ArrayList;
import java.util.List;

/**
 * How rings that share a link slow each other down, found from measured all-reduce times.
 *
 * <p>The model is T = a + k b M + (k - 1) eta M for k jobs with messages of M bytes: Wang, Shi,
 * Wang, Chu, "Communication Contention Aware Scheduling of Multiple Deep Learning Training Jobs",
 * arXiv 2002.10105. With alpha = eta / b it is a + b M f(k), f(k) = k + alpha (k - 1): the
 * degradation of Yu, Ji, Rajan, Liu, arXiv 2207.07817, which {@link
 * io.ringmaster.model.RingContention} uses.
 *
 * <p>Errors are taken to be in proportion to the time itself: times of many jobs are long and
 * scatter in proportion, and without weights they would decide the fit alone. Weights are one over
 * the square of the fitted time, found by repeating the fit. One over the square of the measured
 * time would favour what was measured too short.
 *
 * <p>Intervals are HC2 with Bell and McCaffrey's degrees of freedom: they hold though the errors of
 * one pair (k, M) are larger than those of another, and know that few pairs decide b. Repeats of a
 * pair count as one value, their mean: what the line misses at a pair, it misses in all its
 * repeats, so they say little about the line. alpha has Fieller's interval, which stays right where
 * b is uncertain.
 *
 * @param line the fit of all measurements
 * @param subsets fits of parts of them, and a fit with other weights
 * @param lackOfFit tests of the line against freer ones; empty where there is nothing to test with
 * @param degradation measured beside fitted; empty if nothing was measured with one job
 * @param warnings what is wrong with the fit, in plain words
 */
public record ContentionFit(
    ContentionLine line,
    List<Subset> subsets,
    List<Residuals> byJobs,
    List<Residuals> byBytes,
    List<LackOfFit> lackOfFit,
    List<Degradation> degradation,
    List<String> warnings) {

  private static final int LEAST_PAIRS = 3;

  /**
   * A fit of a part of the measurements.
   *
   * @param bytes the size that is left alone or left out; NaN for none
   */
  public record Subset(Kind kind, double bytes, ContentionLine line) {}

  public enum Kind {
    /** One size; a is taken as 0. */
    ONE_SIZE,
    /** All sizes but the smallest, for which networks often have another protocol. */
    WITHOUT_SMALLEST,
    /** One job: a and b alone. */
    ONE_JOB,
    ONE_JOB_WITHOUT_SMALLEST,
    /** All measurements, with errors of the same seconds for all. */
    ABSOLUTE_ERRORS
  }

  /**
   * Fits measurements. Their order does not matter.
   *
   * @throws BadInput if there are too few
   */
  public static ContentionFit of(List<AllReduceTime> measurements) {
    List<Cell> cells = Cell.of(measurements);
    if (cells.size() < LEAST_PAIRS) {
      throw new BadInput(
          "%d different pair%s of jobs and bytes; at least %d are needed to fit"
              .formatted(cells.size(), cells.size() == 1 ? "" : "s", LEAST_PAIRS));
    }
    Form form = form(cells);
    ContentionLine line = ContentionLine.of(cells, form, Errors.RELATIVE);
    if (line == null) {
      throw ContentionLine.of(cells, form, Errors.ABSOLUTE) == null
          ? new BadInput(
              "the pairs of jobs and bytes do not tell a, b and eta apart;"
                  + " measure each number of jobs with each size")
          : new BadInput("the times differ too much for one line; is a unit wrong?");
    }
    List<Subset> subsets = subsets(cells, form);
    List<Residuals> byJobs = Residuals.by(Cell::jobs, line, cells);
    List<Residuals> byBytes = Residuals.by(Cell::bytes, line, cells);
    List<LackOfFit> lackOfFit = LackOfFit.of(line, cells);
    List<Degradation> degradation = Degradation.of(line, cells);
    List<String> warnings =
        ContentionWarnings.of(line, subsets, byJobs, byBytes, lackOfFit, degradation);
    return new ContentionFit(line, subsets, byJobs, byBytes, lackOfFit, degradation, warnings);
  }

  private static Form form(List<Cell> cells) {
    List<Integer> jobs = Cell.jobs(cells);
    if (jobs.size() > 1) {
      return Cell.sizes(cells).size() > 1 ? Form.FULL : Form.ONE_SIZE;
    }
    if (jobs.getFirst() > 1) {
      throw new BadInput(
          "every measurement is of %d jobs, which does not tell b and eta apart; measure 1 job too"
              .formatted(jobs.getFirst()));
    }
    return Form.ALONE;
  }

  private static List<Subset> subsets(List<Cell> cells, Form form) {
    List<Subset> subsets = new ArrayList<>();
    List<Double> sizes = Cell.sizes(cells);
    double smallest = sizes.getFirst();
    List<Cell> larger = cells.stream().filter(cell -> cell.bytes() > smallest).toList();
    if (form == Form.FULL) {
      for (double size : sizes) {
        add(subsets, Kind.ONE_SIZE, size, Cell.ofSize(cells, size), Form.ONE_SIZE);
      }
      add(subsets, Kind.WITHOUT_SMALLEST, smallest, larger, Form.FULL);
      add(subsets, Kind.ONE_JOB, Double.NaN, alone(cells), Form.ALONE);
    }
    if (form != Form.ONE_SIZE) {
      add(subsets, Kind.ONE_JOB_WITHOUT_SMALLEST, smallest, alone(larger), Form.ALONE);
    }
    ContentionLine absolute = ContentionLine.of(cells, form, Errors.ABSOLUTE);
    if (absolute != null) {
      subsets.add(new Subset(Kind.ABSOLUTE_ERRORS, Double.NaN, absolute));
    }
    return subsets;
  }

  private static List<Cell> alone(List<Cell> cells) {
    return cells.stream().filter(cell -> cell.jobs() == 1).toList();
  }

  private static void add(
      List<Subset> subsets, Kind kind, double bytes, List<Cell> cells, Form form) {
    ContentionLine line = cells.isEmpty() ? null : ContentionLine.of(cells, form, Errors.RELATIVE);
    if (line != null) {
      subsets.add(new Subset(kind, bytes, line));
    }
  }
}
