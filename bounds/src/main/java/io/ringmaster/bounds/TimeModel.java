package io.ringmaster.bounds;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.Constraint;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CumulativeConstraint;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import io.ringmaster.model.Jobs;
import java.util.ArrayList;
import java.util.List;

/**
 * When jobs start and end, in ticks after the first submission, and what is to be made small. Who
 * may run beside whom is up to {@link Orders}, {@link Servers} and {@link Rings}, or to {@link
 * #onePool}.
 */
final class TimeModel {
  private final Instance instance;
  private final Ticks ticks;
  private final CpModel cp = new CpModel();
  private final IntVar[] start;
  private final IntVar[] end;
  private final IntVar[] size;
  private final List<IntVar> discrete = new ArrayList<>();
  private final long horizon;
  private final Constraint range;
  private final long offset;

  /**
   * A model of all schedules that are no worse than one that is known.
   *
   * @param knownSeconds what the known schedule comes to
   */
  TimeModel(Instance instance, Objective objective, double knownSeconds) {
    this.instance = instance;
    int n = instance.size();
    double[] least = new double[n];
    double sum = 0;
    for (int job = 0; job < n; job++) {
      least[job] = instance.fastestSeconds(job);
      sum += least[job];
    }
    double[] latest = new double[n];
    double last = 0;
    for (int job = 0; job < n; job++) {
      latest[job] =
          objective == Objective.MAKESPAN
              ? knownSeconds
              : instance.releaseSeconds(job) + least[job] + (knownSeconds - sum);
      last = Math.max(last, latest[job]);
    }
    double scale = objective == Objective.MAKESPAN ? knownSeconds : knownSeconds / n;
    ticks = Ticks.of(scale, last);
    horizon = ticks.down(last) + 1;
    start = new IntVar[n];
    end = new IntVar[n];
    size = new IntVar[n];
    for (int job = 0; job < n; job++) {
      long release = releaseTicks(job);
      long shortest = ticks.down(least[job]);
      long until = ticks.down(latest[job]) + 1;
      start[job] = cp.newIntVar(release, until - shortest, "start" + job);
      end[job] = cp.newIntVar(release + shortest, until, "end" + job);
      size[job] = cp.newIntVar(shortest, until - release, "size" + job);
      cp.addEquality(LinearExpr.sum(new IntVar[] {start[job], size[job]}), end[job]);
    }
    LinearExpr goal = objective == Objective.MAKESPAN ? last() : total();
    offset = goal.getOffset();
    range = cp.addLinearConstraint(goal, 0, horizon);
    cp.minimize(goal);
  }

  private LinearExpr last() {
    IntVar last = cp.newIntVar(0, horizon, "last");
    for (IntVar each : end) {
      cp.addLessOrEqual(each, last);
    }
    // What is submitted at or after a time needs its GPU-seconds after it.
    Jobs jobs = instance.jobs();
    long gpus = instance.cluster().totalGpus();
    LinearExprBuilder work = LinearExpr.newBuilder();
    for (int job = end.length - 1; job >= 0; job--) {
      work.addTerm(size[job], jobs.gpus(job));
      if (job == 0 || jobs.submitSeconds(job - 1) < jobs.submitSeconds(job)) {
        cp.addGreaterOrEqual(
            LinearExpr.affine(last, gpus, -gpus * releaseTicks(job)), work.build());
      }
    }
    return LinearExpr.affine(last, 1, 0);
  }

  private LinearExpr total() {
    LinearExprBuilder sum = LinearExpr.newBuilder().addSum(end);
    for (int job = 0; job < end.length; job++) {
      sum.add(-releaseTicks(job));
    }
    return sum.build();
  }

  private long releaseTicks(int job) {
    return ticks.down(instance.releaseSeconds(job));
  }

  /** Leaves only schedules between two values. */
  void between(double leastSeconds, double mostSeconds) {
    // Rounding each end down may take a tick from it.
    long least = Math.max(0, ticks.down(leastSeconds) - end.length - 1);
    range
        .getBuilder()
        .getLinearBuilder()
        .setDomain(0, least - offset)
        .setDomain(1, ticks.down(mostSeconds) - offset);
  }

  /** The GPUs of all servers as one pool, for more jobs than {@link Orders} can take. */
  void onePool() {
    CumulativeConstraint pool = cp.addCumulative(instance.cluster().totalGpus());
    for (int job = 0; job < start.length; job++) {
      pool.addDemand(
          cp.newIntervalVar(start[job], size[job], end[job], "run" + job),
          instance.jobs().gpus(job));
    }
  }

  BoolVar flag(String name) {
    BoolVar flag = cp.newBoolVar(name);
    discrete.add(flag);
    return flag;
  }

  IntVar count(int most, String name) {
    IntVar count = cp.newIntVar(0, most, name);
    discrete.add(count);
    return count;
  }

  IntVar duration(String name) {
    return cp.newIntVar(0, horizon, name);
  }

  /** All that is no time. */
  List<IntVar> discrete() {
    return discrete;
  }

  Instance instance() {
    return instance;
  }

  Ticks ticks() {
    return ticks;
  }

  CpModel cp() {
    return cp;
  }

  IntVar start(int job) {
    return start[job];
  }

  IntVar end(int job) {
    return end[job];
  }

  IntVar size(int job) {
    return size[job];
  }

  double[] startSeconds(CpSolver solved) {
    double[] seconds = new double[start.length];
    for (int job = 0; job < seconds.length; job++) {
      seconds[job] =
          instance.jobs().submitSeconds(0) + ticks.seconds((double) solved.value(start[job]));
    }
    return seconds;
  }
}
