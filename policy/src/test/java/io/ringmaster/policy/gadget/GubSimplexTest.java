package io.ringmaster.policy.gadget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.linear.LinearSolver;
import org.ojalgo.structure.Mutate1D;

class GubSimplexTest {
  private static final double TOLERANCE = 1e-6;

  /** Columns come in three rounds. Whole numbers and few sizes make many ties. */
  @Test
  void isAsGoodAsAnotherSolverAndProvesIt() {
    Seeds.each(
        300,
        (random, seed) -> {
          int resources = random.nextInt(1, 7);
          int jobs = random.nextInt(1, 25);
          GubSimplex simplex = new GubSimplex(resources, jobs);
          for (int round = 0; round < 3; round++) {
            for (int k = random.nextInt(2 * jobs); k >= 0; k--) {
              simplex.add(column(random, resources, jobs));
            }
            assertThat(simplex.optimise(Long.MAX_VALUE)).isTrue();
            double expected = solve(simplex.columns(), resources, jobs);
            assertThat(simplex.profit()).isCloseTo(expected, within(TOLERANCE));
            checkDuals(simplex, resources, jobs, expected);
            checkFeasible(simplex, resources, jobs);
          }
        });
  }

  private static Column column(RandomGenerator random, int resources, int jobs) {
    double[] usage = new double[resources];
    for (int r = 0; r < resources; r++) {
      usage[r] = random.nextInt(3) == 0 ? random.nextInt(1, 5) / 8.0 : 0;
    }
    return Column.of(random.nextInt(jobs), 1, random.nextInt(1, 10), usage);
  }

  /** Strong duality: prices that no column beats, and that add up to the profit. */
  private static void checkDuals(GubSimplex simplex, int resources, int jobs, double expected) {
    double[] prices = simplex.prices();
    double sum = 0;
    for (int r = 0; r < resources; r++) {
      sum += prices[r];
    }
    for (int j = 0; j < jobs; j++) {
      sum += simplex.jobPrice(j);
    }
    assertThat(sum).isCloseTo(expected, within(TOLERANCE));
    for (Column column : simplex.columns()) {
      assertThat(column.profit())
          .isLessThanOrEqualTo(column.cost(prices) + simplex.jobPrice(column.job()) + TOLERANCE);
    }
  }

  private static void checkFeasible(GubSimplex simplex, int resources, int jobs) {
    double[] fractions = simplex.fractions();
    double[] usage = new double[resources];
    double[] ofJob = new double[jobs];
    for (int k = 0; k < fractions.length; k++) {
      simplex.columns().get(k).addTo(usage, fractions[k]);
      ofJob[simplex.columns().get(k).job()] += fractions[k];
    }
    assertThat(Arrays.stream(usage).max().orElse(0)).isLessThanOrEqualTo(1 + TOLERANCE);
    assertThat(Arrays.stream(ofJob).max().orElse(0)).isLessThanOrEqualTo(1 + TOLERANCE);
  }

  /** By ojAlgo, which minimises. */
  private static double solve(List<Column> columns, int resources, int jobs) {
    LinearSolver.Builder builder = LinearSolver.newBuilder();
    builder.objective(columns.stream().mapToDouble(c -> -c.profit()).toArray()).lower(0.0);
    for (int r = 0; r < resources; r++) {
      Mutate1D row = builder.inequality(1.0);
      for (int k = 0; k < columns.size(); k++) {
        double[] usage = new double[resources];
        columns.get(k).addTo(usage, 1);
        row.set(k, usage[r]);
      }
    }
    for (int j = 0; j < jobs; j++) {
      Mutate1D row = builder.inequality(1.0);
      for (int k = 0; k < columns.size(); k++) {
        row.set(k, columns.get(k).job() == j ? 1.0 : 0.0);
      }
    }
    Optimisation.Result result = builder.build().solve();
    assertThat(result.getState().isOptimal()).isTrue();
    return -result.getValue();
  }
}
