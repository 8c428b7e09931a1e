package io.ringmaster.predictor;

import java.util.ArrayList;
import java.util.List;

/**
 * A test of the line against a freer one, by Fisher's F on relative errors.
 *
 * @param pValue the probability of so large an F if the line were true
 */
public record LackOfFit(
    Against against, double f, int freedomAbove, int freedomBelow, double pValue) {

  /** What the line is tested against. */
  public enum Against {
    /** A time of its own for each pair of jobs and bytes; needs repeats. */
    REPEATS,
    /** T = a + M c(k): any f(k); needs several sizes. */
    ANY_FACTOR,
    /** T = c(M) + d(M) k: a line in k for each size; needs several sizes. */
    LINE_PER_SIZE
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
    int unknowns = line.a() == null || line.eta() == null ? 2 : 3;
    int repeats = line.points() - line.pairs();
    if (repeats > 0 && cells.size() > unknowns && within > 0) {
      tests.add(test(Against.REPEATS, squares, within, cells.size() - unknowns, repeats));
    }
    if (unknowns == 3) {
      addFreer(tests, Against.ANY_FACTOR, line, cells, squares);
      addFreer(tests, Against.LINE_PER_SIZE, line, cells, squares);
    }
    return tests;
  }

  private static void addFreer(
      List<LackOfFit> tests,
      Against against,
      ContentionLine line,
      List<Cell> cells,
      double squares) {
    double[][] rows = against == Against.ANY_FACTOR ? anyFactor(cells) : linePerSize(cells);
    int unknowns = rows[0].length;
    if (unknowns <= 3 || cells.size() <= unknowns) {
      return;
    }
    double[] scales = cells.stream().mapToDouble(line::scale).toArray();
    LeastSquares freer = Cell.leastSquares(cells, rows, scales);
    if (freer == null || freer.residualSquares() < NO_ERROR * NO_ERROR) {
      return;
    }
    double left = freer.residualSquares();
    tests.add(
        test(against, Math.max(0, squares - left), left, unknowns - 3, cells.size() - unknowns));
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

  private static LackOfFit test(
      Against against, double above, double below, int freedomAbove, int freedomBelow) {
    double f = (above / freedomAbove) / (below / freedomBelow);
    return new LackOfFit(
        against, f, freedomAbove, freedomBelow, Tails.fisher(f, freedomAbove, freedomBelow));
  }
}
