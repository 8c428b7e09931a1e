package io.ringmaster.predictor.contention;

import io.ringmaster.predictor.contention.ContentionLine.Form;
import io.ringmaster.predictor.regression.LeastSquares;
import io.ringmaster.predictor.regression.Tails;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A test of the line against a freer one, by Fisher's F on relative errors.
 *
 * @param pValue the probability of so large an F if the line were true
 */
public record LackOfFit(
    Against against, double f, int freedomAbove, int freedomBelow, double pValue) {

  public enum Against {
    /** A time of its own for each pair of jobs and bytes; needs repeats. */
    REPEATS,
    /** T = a + M c(k): any f(k); needs several sizes. */
    ANY_FACTOR,
    /** T = c(M) + d(M) k: a line in k for each size; needs several sizes. */
    LINE_PER_SIZE,
    /** The line for all sizes but the smallest; needs several sizes. */
    SMALLEST_APART
  }

  /** What rounding leaves of a perfect fit. */
  private static final double NO_ERROR = 1e-9;

  static List<LackOfFit> of(ContentionLine line, List<Cell> cells) {
    List<LackOfFit> tests = new ArrayList<>();
    if (line.relativeRmse() < NO_ERROR) {
      return tests;
    }
    double squares = 0;
    double within = 0;
    for (Cell cell : cells) {
      double scale = line.scale(cell);
      double off = (cell.mean() - line.seconds(cell.jobs(), cell.bytes())) / scale;
      squares += cell.count() * off * off;
      within += cell.squaresWithin() / (scale * scale);
    }
    Form form = line.form();
    int unknowns = form.row(1, 1).length;
    int repeats = line.points() - line.pairs();
    if (repeats > 0 && cells.size() > unknowns && within > 0) {
      tests.add(test(Against.REPEATS, squares, within, cells.size() - unknowns, repeats));
    }
    Map<Against, double[][]> freer = new EnumMap<>(Against.class);
    if (form == Form.FULL) {
      freer.put(Against.ANY_FACTOR, anyFactor(cells));
      freer.put(Against.LINE_PER_SIZE, linePerSize(cells));
    }
    if (form != Form.ONE_SIZE) {
      freer.put(Against.SMALLEST_APART, smallestApart(cells, form));
    }
    double[] scales = cells.stream().mapToDouble(line::scale).toArray();
    double all = squares;
    freer.forEach((against, rows) -> {
      LeastSquares solution = Cell.leastSquares(cells, rows, scales);
      int more = rows[0].length - unknowns;
      int left = cells.size() - rows[0].length;
      if (solution != null && more > 0 && left > 0) {
        double rest = solution.residualSquares();
        tests.add(test(against, Math.max(0, all - rest), rest, more, left));
      }
    });
    return tests;
  }

  private static double[][] anyFactor(List<Cell> cells) {
    List<Integer> jobs = Cell.jobs(cells);
    double[][] rows = new double[cells.size()][1 + jobs.size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i][0] = 1;
      rows[i][1 + jobs.indexOf(cells.get(i).jobs())] = cells.get(i).bytes();
    }
    return rows;
  }

  private static double[][] linePerSize(List<Cell> cells) {
    List<Double> sizes = Cell.sizes(cells);
    double[][] rows = new double[cells.size()][2 * sizes.size()];
    for (int i = 0; i < rows.length; i++) {
      int column = 2 * sizes.indexOf(cells.get(i).bytes());
      rows[i][column] = 1;
      rows[i][column + 1] = cells.get(i).jobs();
    }
    return rows;
  }

  /** Each pair with the smallest size has an unknown of its own: it says nothing of the line. */
  private static double[][] smallestApart(List<Cell> cells, Form form) {
    double smallest = Cell.sizes(cells).getFirst();
    int unknowns = form.row(1, 1).length;
    double[][] rows = new double[cells.size()][unknowns + Cell.ofSize(cells, smallest).size()];
    int column = unknowns;
    for (int i = 0; i < rows.length; i++) {
      Cell cell = cells.get(i);
      System.arraycopy(form.row(cell.jobs(), cell.bytes()), 0, rows[i], 0, unknowns);
      if (cell.bytes() == smallest) {
        rows[i][column++] = 1;
      }
    }
    return rows;
  }

  private static LackOfFit test(
      Against against, double above, double below, int freedomAbove, int freedomBelow) {
    double f = (above / freedomAbove) / (below / freedomBelow);
    return new LackOfFit(
        against, f, freedomAbove, freedomBelow, Tails.fisher(f, freedomAbove, freedomBelow));
  }
}
