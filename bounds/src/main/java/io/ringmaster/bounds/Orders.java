package io.ringmaster.bounds;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import io.ringmaster.model.Jobs;

/**
 * Who starts before whom and who runs beside whom, as yes or no for each pair of jobs; and never
 * more GPUs than there are. A search over these answers has no fine steps of time to creep along.
 */
final class Orders {
  private final CpModel cp;
  private final int n;
  private final Literal[][] startsFirst;
  private final BoolVar[][] over;
  private final BoolVar[][] during;

  Orders(TimeModel times) {
    cp = times.cp();
    n = times.instance().size();
    startsFirst = new Literal[n][n];
    over = new BoolVar[n][n];
    during = new BoolVar[n][n];
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) {
        if (j < k) {
          startOrder(times, j, k);
        }
        if (j != k) {
          over[j][k] = times.flag("over" + j + "_" + k);
          cp.addLessOrEqual(times.end(j), times.start(k)).onlyEnforceIf(over[j][k]);
          cp.addGreaterOrEqual(times.end(j), times.start(k)).onlyEnforceIf(over[j][k].not());
        }
      }
    }
    noCircles();
    runTogether(times);
    pool(times.instance());
    alike(times);
  }

  /** Of two that start at the same moment, either may count as the first. */
  private void startOrder(TimeModel times, int j, int k) {
    BoolVar first = times.flag("first" + j + "_" + k);
    cp.addLessOrEqual(times.start(j), times.start(k)).onlyEnforceIf(first);
    cp.addGreaterOrEqual(times.start(j), times.start(k)).onlyEnforceIf(first.not());
    startsFirst[j][k] = first;
    startsFirst[k][j] = first.not();
  }

  /** Starts are in one line, also those at the same moment. */
  private void noCircles() {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          if (i == j || j == k || i == k) {
            continue;
          }
          if (i < k) {
            either(startsFirst[i][j].not(), startsFirst[j][k].not(), startsFirst[i][k]);
          }
          either(over[i][j].not(), startsFirst[j][k].not(), over[i][k]);
        }
      }
    }
  }

  private void runTogether(TimeModel times) {
    for (int k = 0; k < n; k++) {
      for (int j = 0; j < n; j++) {
        if (j != k) {
          BoolVar runs = times.flag("during" + k + "_" + j);
          cp.addImplication(over[k][j], startsFirst[k][j]);
          cp.addImplication(runs, startsFirst[k][j]);
          cp.addImplication(runs, over[k][j].not());
          either(runs, startsFirst[k][j].not(), over[k][j]);
          during[k][j] = runs;
        }
      }
    }
  }

  /** At each start there is room: between starts GPUs only become free. */
  private void pool(Instance instance) {
    Jobs jobs = instance.jobs();
    int total = instance.cluster().totalGpus();
    for (int j = 0; j < n; j++) {
      LinearExprBuilder others = LinearExpr.newBuilder();
      for (int k = 0; k < n; k++) {
        if (k != j) {
          others.addTerm(during[k][j], jobs.gpus(k));
          if (k < j && jobs.gpus(k) + jobs.gpus(j) > total) {
            cp.addBoolOr(new Literal[] {over[j][k], over[k][j]});
          }
        }
      }
      cp.addLessOrEqual(others.build(), total - jobs.gpus(j));
    }
  }

  /** Of equal jobs the first starts first. */
  private void alike(TimeModel times) {
    for (int a = 0; a < n; a++) {
      for (int b = a + 1; b < n; b++) {
        if (times.instance().alike(a, b)) {
          cp.addBoolOr(new Literal[] {startsFirst[a][b]});
        }
      }
    }
  }

  private void either(Literal a, Literal b, Literal c) {
    cp.addBoolOr(new Literal[] {a, b, c});
  }

  /** Whether j starts no later than k. */
  Literal startsFirst(int j, int k) {
    return startsFirst[j][k];
  }

  /** Whether k started before j does and is not over then. */
  BoolVar during(int k, int j) {
    return during[k][j];
  }
}
