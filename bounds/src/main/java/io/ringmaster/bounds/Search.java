package io.ringmaster.bounds;

import com.google.ortools.Loader;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverSolutionCallback;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.DecisionStrategyProto.DomainReductionStrategy;
import com.google.ortools.sat.DecisionStrategyProto.VariableSelectionStrategy;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearArgument;
import com.google.ortools.sat.SatParameters;
import io.ringmaster.model.Placement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a schedule that beats the best known one. Once the solver proves that there is none,
 * what is known is the best.
 */
final class Search {
  /** A step that is worth taking: half of what counts as equal. */
  private static final double STEP = Bound.EQUAL / 2;

  /** How much linear programming helps: little first, then much for a search that takes long. */
  private static final int[] LINEAR = {1, 2};

  private static final double FIRST_SHARE = 0.25;

  private final Trials trials;
  private final long untilNanos;
  private double lowerSeconds;

  Search(Trials trials, double lowerSeconds, long untilNanos) {
    this.trials = trials;
    this.lowerSeconds = lowerSeconds;
    this.untilNanos = untilNanos;
  }

  double lowerSeconds() {
    return lowerSeconds;
  }

  /** Whether no better schedule is possible than the best known one. */
  boolean closed() {
    return Bound.equal(lowerSeconds, trials.bestSeconds());
  }

  private double secondsLeft() {
    return (untilNanos - System.nanoTime()) / 1e9;
  }

  /** Searches all schedules with the yes and no of {@link Orders} decided first. */
  void orders(TimeModel times, @Nullable Servers servers) {
    times
        .cp()
        .addDecisionStrategy(
            times.discrete().toArray(new LinearArgument[0]),
            VariableSelectionStrategy.CHOOSE_FIRST,
            DomainReductionStrategy.SELECT_MAX_VALUE);
    boolean over = false;
    for (int i = 0; i < LINEAR.length && !over; i++) {
      double share = i == LINEAR.length - 1 ? 1 : FIRST_SHARE;
      over = search(times, servers, LINEAR[i], share * secondsLeft());
    }
  }

  /** Searches all schedules of one pool of GPUs. */
  void pool(TimeModel times) {
    search(times, null, 1, secondsLeft());
  }

  /** Whether the model has no more to give. */
  private boolean search(
      TimeModel times, @Nullable Servers servers, int linear, double forSeconds) {
    long until = System.nanoTime() + (long) (forSeconds * 1e9);
    double least = trials.bestSeconds();
    while (!closed()) {
      double left = (until - System.nanoTime()) / 1e9;
      double most = least * (1 - STEP);
      if (most <= lowerSeconds) {
        return true;
      }
      if (left <= 0) {
        return false;
      }
      times.between(lowerSeconds, most);
      CpSolver solver = solver(linear, left);
      Creeping creeping = new Creeping();
      CpSolverStatus status = solver.solve(times.cp(), creeping);
      switch (status) {
        case INFEASIBLE -> raise(most);
        case UNKNOWN -> raise(Math.min(most, times.ticks().seconds(solver.bestObjectiveBound())));
        case OPTIMAL, FEASIBLE -> {
          raise(times.ticks().seconds(solver.bestObjectiveBound()));
          carryOut(times, servers, solver);
          least = Math.min(least, times.ticks().seconds(solver.objectiveValue()));
        }
        default -> throw new IllegalStateException(status + ": " + times.cp().validate());
      }
      if (!creeping.stopped) {
        return status == CpSolverStatus.INFEASIBLE || status == CpSolverStatus.OPTIMAL;
      }
      least = Math.min(least, polish(times, servers, solver, linear));
    }
    return true;
  }

  private void raise(double seconds) {
    lowerSeconds = Math.max(lowerSeconds, seconds);
  }

  private void carryOut(TimeModel times, @Nullable Servers servers, CpSolver solver) {
    List<Placement> placements = servers == null ? List.of() : servers.placements(solver);
    trials.plan(new Plan(times.startSeconds(solver), placements));
  }

  /** The best times for the orders and placements of a solution: a linear program. */
  private double polish(TimeModel times, @Nullable Servers servers, CpSolver rough, int linear) {
    for (IntVar each : times.discrete()) {
      times.cp().addHint(each, rough.value(each));
    }
    CpSolver solver = solver(linear, secondsLeft());
    solver.getParameters().setFixVariablesToTheirHintedValue(true).setRelativeGapLimit(STEP / 10);
    CpSolverStatus status = solver.solve(times.cp());
    times.cp().clearHints();
    if (status != CpSolverStatus.OPTIMAL && status != CpSolverStatus.FEASIBLE) {
      return Double.POSITIVE_INFINITY;
    }
    carryOut(times, servers, solver);
    return times.ticks().seconds(solver.objectiveValue());
  }

  /** One worker and one seed: the same answer each time, unless time runs out. */
  private static CpSolver solver(int linear, double seconds) {
    CpSolver solver = new CpSolver();
    SatParameters.Builder parameters = solver.getParameters();
    parameters.setNumWorkers(1).setRandomSeed(1).setMaxTimeInSeconds(Math.max(1e-3, seconds));
    // More rounds of presolving would take longer than the search of a small model.
    parameters.setMaxPresolveIterations(1).setLinearizationLevel(linear);
    return solver;
  }

  /** Stops a search that gets better by a tick at a time. */
  private static final class Creeping extends CpSolverSolutionCallback {
    private static final double SMALL = 1e-4;
    private static final int PATIENCE = 3;

    private double before = Double.POSITIVE_INFINITY;
    private int small;
    private boolean stopped;

    @Override
    public void onSolutionCallback() {
      if (before - objectiveValue() < SMALL * objectiveValue() && ++small == PATIENCE) {
        stopped = true;
        stopSearch();
      }
      before = objectiveValue();
    }
  }

  /** Loads the solver's native part, which takes half a second the first time. */
  static boolean available() {
    try {
      Loader.loadNativeLibraries();
      return true;
    } catch (RuntimeException | UnsatisfiedLinkError e) {
      return false;
    }
  }
}
