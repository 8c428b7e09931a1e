package io.ringmaster.predictor.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.predictor.regression.LeastSquares;
import io.ringmaster.predictor.regression.NonNegativeLeastSquares;
import io.ringmaster.predictor.regression.Tails;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.analysis.MultivariateFunction;
import org.apache.commons.math3.analysis.MultivariateVectorFunction;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.optim.InitialGuess;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.SimpleBounds;
import org.apache.commons.math3.optim.SimpleValueChecker;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunction;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunctionGradient;
import org.apache.commons.math3.optim.nonlinear.scalar.gradient.NonLinearConjugateGradientOptimizer;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.BOBYQAOptimizer;
import org.apache.commons.math3.special.Beta;
import org.junit.jupiter.api.Test;
import org.ojalgo.function.constant.PrimitiveMath;
import org.ojalgo.matrix.decomposition.QR;
import org.ojalgo.matrix.store.MatrixStore;
import org.ojalgo.matrix.store.R064Store;
import org.ojalgo.optimisation.convex.ConvexSolver;

/**
 * What is written by hand here beside libraries, on the same random problems: it must be as exact.
 * {@code -Dlibraries.print=true} prints errors and CPU time; see docs/decisions/0043.
 */
class LibrariesTest {
  private static final boolean PRINT = Boolean.getBoolean("libraries.print");
  private static final int WARM_UP = PRINT ? 3 : 0;
  private static final int PROBLEMS = 300;
  private static final int STARTS = 50;

  /** A system of equations; truth is what its values were made of. */
  private static final class Equations {
    final double[][] rows;
    final double[] values;
    final double[] truth;

    Equations(double[][] rows, double[] values, double[] truth) {
      this.rows = rows;
      this.values = values;
      this.truth = truth;
    }
  }

  /** A constant and other columns; exact ones are ten times as large from one to the next. */
  private static List<Equations> systems(boolean exact) {
    SplittableRandom random = new SplittableRandom(1);
    List<Equations> systems = new ArrayList<>();
    for (int n = 0; n < PROBLEMS; n++) {
      int columns = 2 + random.nextInt(5);
      double[][] rows = new double[3 * columns + random.nextInt(40)][columns];
      double[] truth = random.doubles(columns, exact ? 0.1 : -0.5, 1).toArray();
      double[] values = new double[rows.length];
      for (int i = 0; i < rows.length; i++) {
        for (int j = 0; j < columns; j++) {
          rows[i][j] = j == 0 ? 1 : (exact ? Math.pow(10, j) : 1) * random.nextDouble();
        }
        values[i] = LeastSquares.dot(truth, rows[i]) + (exact ? 0 : 0.3 * random.nextGaussian());
      }
      systems.add(new Equations(rows, values, truth));
    }
    return systems;
  }

  private static <P> double microseconds(List<P> problems, Function<P, double[]> solve) {
    double sum = 0;
    long before = 0;
    for (int round = 0; round <= WARM_UP; round++) {
      before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (P problem : problems) {
        sum += solve.apply(problem)[0];
      }
    }
    long after = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    assertThat(sum).isFinite();
    return (after - before) / 1e3 / problems.size();
  }

  private static void print(String what, double error, double microseconds) {
    if (PRINT) {
      System.out.printf(Locale.ROOT, "%-44s error %8.1e   %9.2f us%n", what, error, microseconds);
    }
  }

  private static <P> double measured(
      String what, List<P> problems, Function<P, double[]> solve, ToError<P> error) {
    double worst = 0;
    for (P problem : problems) {
      worst = Math.max(worst, error.of(problem, solve.apply(problem)));
    }
    print(what, worst, microseconds(problems, solve));
    return worst;
  }

  /** How far an answer is from the right one. */
  @FunctionalInterface
  private interface ToError<P> {
    double of(P problem, double[] answer);
  }

  private static double overTruth(Equations system, double[] found) {
    double worst = 0;
    for (int j = 0; j < found.length; j++) {
      worst = Math.max(worst, Math.abs(found[j] / system.truth[j] - 1));
    }
    return worst;
  }

  private static R064Store matrix(Equations system) {
    R064Store matrix = R064Store.FACTORY.make(system.rows.length, system.rows[0].length);
    for (int i = 0; i < system.rows.length; i++) {
      for (int j = 0; j < system.rows[0].length; j++) {
        matrix.set(i, j, system.rows[i][j]);
      }
    }
    return matrix;
  }

  @Test
  void leastSquaresAreAsExact() {
    List<Equations> systems = systems(true);
    double ours =
        measured(
            "least squares, LeastSquares",
            systems,
            s -> Objects.requireNonNull(LeastSquares.of(s.rows, s.values)).coefficients(),
            LibrariesTest::overTruth);
    double ojAlgo =
        measured(
            "least squares, ojAlgo QR",
            systems,
            s -> {
              QR<Double> qr = QR.R064.make(s.rows.length, s.rows[0].length);
              qr.decompose(matrix(s));
              return qr.getSolution(R064Store.FACTORY.column(s.values)).toRawCopy1D();
            },
            LibrariesTest::overTruth);
    double commons =
        measured(
            "least squares, Commons Math QR",
            systems,
            s ->
                new QRDecomposition(new Array2DRowRealMatrix(s.rows, false))
                    .getSolver()
                    .solve(new ArrayRealVector(s.values, false))
                    .toArray(),
            LibrariesTest::overTruth);
    assertThat(ours).isLessThan(10 * Math.min(ojAlgo, commons));
  }

  private static double squares(Equations system, double[] found) {
    double sum = 0;
    for (int i = 0; i < system.rows.length; i++) {
      double residual = system.values[i] - LeastSquares.dot(found, system.rows[i]);
      sum += residual * residual;
    }
    return sum;
  }

  private static double[] program(Equations system) {
    R064Store matrix = matrix(system);
    MatrixStore<Double> square = matrix.transpose().multiply(matrix);
    MatrixStore<Double> linear =
        matrix.transpose().multiply(R064Store.FACTORY.column(system.values));
    int columns = system.rows[0].length;
    R064Store minus = R064Store.FACTORY.makeEye(columns, columns);
    minus.modifyAll(PrimitiveMath.NEGATE);
    double[] found =
        ConvexSolver.newBuilder()
            .objective(square, linear)
            .inequalities(minus, R064Store.FACTORY.make(columns, 1))
            .build()
            .solve()
            .toRawCopy1D();
    for (int j = 0; j < columns; j++) {
      found[j] = Math.max(0, found[j]);
    }
    return found;
  }

  /** The error is how much more of the squares is left than the better of the two leaves. */
  @Test
  void nonNegativeLeastSquaresAreAsGood() {
    List<Equations> systems = systems(false);
    ToError<Equations> error =
        (s, found) -> {
          double best =
              Math.min(
                  squares(s, NonNegativeLeastSquares.solve(s.rows, s.values)),
                  squares(s, program(s)));
          return squares(s, found) / best - 1;
        };
    double ours =
        measured(
            "non-negative, NonNegativeLeastSquares",
            systems,
            s -> NonNegativeLeastSquares.solve(s.rows, s.values),
            error);
    measured("non-negative, ojAlgo ConvexSolver", systems, LibrariesTest::program, error);
    assertThat(ours).isLessThan(1e-9);
  }

  @Test
  void quantilesAndTailsAreTheSame() {
    List<Integer> freedoms = new ArrayList<>();
    for (int freedom = 1; freedom <= PROBLEMS; freedom++) {
      freedoms.add(freedom);
    }
    double quantile =
        measured(
            "Student's quantile, Tails",
            freedoms,
            f -> new double[] {Tails.student95(f)},
            (f, found) -> Math.abs(found[0] / commonsQuantile(f) - 1));
    measured(
        "Student's quantile, Commons Math",
        freedoms,
        f -> new double[] {commonsQuantile(f)},
        (_, _) -> 0);
    measured(
        "Student's quantile, ojAlgo",
        freedoms,
        f -> new double[] {org.ojalgo.random.TDistribution.of(f).getQuantile(0.975)},
        (f, found) -> Math.abs(found[0] / commonsQuantile(f) - 1));
    double beta =
        measured(
            "incomplete beta, Tails",
            freedoms,
            f -> new double[] {Tails.incompleteBeta(f / 2.0, 0.5, 0.3)},
            (f, found) -> Math.abs(found[0] - Beta.regularizedBeta(0.3, f / 2.0, 0.5)));
    measured(
        "incomplete beta, Commons Math",
        freedoms,
        f -> new double[] {Beta.regularizedBeta(0.3, f / 2.0, 0.5)},
        (_, _) -> 0);
    assertThat(quantile).isLessThan(1e-8);
    assertThat(beta).isLessThan(1e-12);
  }

  private static double commonsQuantile(int freedom) {
    return new TDistribution(null, freedom).inverseCumulativeProbability(0.975);
  }

  /** Two of Rosenbrock's valleys; the least of their sum is 0 at (1, 1, 1, 1), and nowhere else. */
  private static double valley(double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i += 2) {
      sum += 100 * Math.pow(x[i + 1] - x[i] * x[i], 2) + Math.pow(1 - x[i], 2);
    }
    return sum;
  }

  private static double[] slope(double[] x) {
    double[] slopes = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      double[] above = x.clone();
      double[] below = x.clone();
      above[i] += 1e-6;
      below[i] -= 1e-6;
      slopes[i] = (valley(above) - valley(below)) / 2e-6;
    }
    return slopes;
  }

  private static double[] conjugateGradient(double[] start) {
    MultivariateFunction function = LibrariesTest::valley;
    MultivariateVectorFunction gradient = LibrariesTest::slope;
    try {
      return new NonLinearConjugateGradientOptimizer(
              NonLinearConjugateGradientOptimizer.Formula.POLAK_RIBIERE,
              new SimpleValueChecker(1e-13, 1e-13))
          .optimize(
              new MaxEval(20_000),
              new ObjectiveFunction(function),
              new ObjectiveFunctionGradient(gradient),
              GoalType.MINIMIZE,
              new InitialGuess(start))
          .getPoint();
    } catch (TooManyEvaluationsException e) {
      return start;
    }
  }

  private static double[] bobyqa(double[] start) {
    MultivariateFunction function = LibrariesTest::valley;
    try {
      return new BOBYQAOptimizer(2 * start.length + 1, 1, 1e-9)
          .optimize(
              new MaxEval(20_000),
              new ObjectiveFunction(function),
              GoalType.MINIMIZE,
              SimpleBounds.unbounded(start.length),
              new InitialGuess(start))
          .getPoint();
    } catch (TooManyEvaluationsException e) {
      return start;
    }
  }

  @Test
  void leastOfASmoothFunctionIsFound() {
    SplittableRandom random = new SplittableRandom(1);
    List<double[]> starts = new ArrayList<>();
    for (int n = 0; n < STARTS; n++) {
      starts.add(random.doubles(4, -2, 2).toArray());
    }
    ToDoubleFunction<double[]> function = LibrariesTest::valley;
    double ours =
        measured(
            "least of a function, QuasiNewton",
            starts,
            start -> QuasiNewton.minimise(function, start),
            (_, found) -> valley(found));
    measured(
        "least of a function, Commons Math CG",
        starts,
        LibrariesTest::conjugateGradient,
        (_, found) -> valley(found));
    measured(
        "least of a function, Commons Math BOBYQA",
        starts,
        LibrariesTest::bobyqa,
        (_, found) -> valley(found));
    assertThat(ours).isLessThan(1e-8);
  }
}
