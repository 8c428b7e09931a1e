package io.ringmaster.experiments;

import io.ringmaster.simulator.Statistics;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** What came of the cells of a {@link Grid}, by cell in their order, and then draw by draw. */
public final class Outcomes<C, R> {
  private final Map<C, List<R>> byCell;

  Outcomes(Map<C, List<R>> byCell) {
    this.byCell = byCell;
  }

  public boolean has(C cell) {
    return byCell.containsKey(cell);
  }

  /** The cells that a rule chooses, in their order. */
  public List<C> cells(Predicate<C> rule) {
    return byCell.keySet().stream().filter(rule).toList();
  }

  /** What came of a cell, draw by draw. */
  public List<R> all(C cell) {
    List<R> own = byCell.get(cell);
    if (own == null) {
      throw new IllegalArgumentException("never run: " + cell);
    }
    return own;
  }

  /** A figure of a cell on every draw. */
  public double[] values(C cell, ToDoubleFunction<R> figure) {
    return all(cell).stream().mapToDouble(figure).toArray();
  }

  /** Mean and 95 % interval of a figure over the draws. */
  public Statistics over(C cell, ToDoubleFunction<R> figure) {
    return Statistics.of(values(cell, figure));
  }

  /** A line of a plot through some cells. */
  public Plot.Series series(
      String name, List<C> cells, ToDoubleFunction<C> x, ToDoubleFunction<R> figure) {
    return new Plot.Series(
        name, cells.stream().map(c -> Plot.Point.of(x.applyAsDouble(c), over(c, figure))).toList());
  }

  /** The same of one cell's figure over another's, draw by draw. */
  public Statistics ratio(C cell, C base, ToDoubleFunction<R> figure) {
    double[] above = values(cell, figure);
    double[] below = values(base, figure);
    double[] ratios = new double[above.length];
    Arrays.setAll(ratios, draw -> above[draw] / below[draw]);
    return Statistics.of(ratios);
  }
}
