package io.ringmaster.bounds;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much longer rings take that meet on a server.
 *
 * <p>Let tau(p) be the time of an iteration beside p - 1 others, and T(p) the time that a job
 * spends with p or more rings on the busiest of its servers. A job that takes d alone then takes
 *
 * <pre>size = d + sum over p of (tau(1) / tau(p - 1) - tau(1) / tau(p)) T(p)</pre>
 *
 * T is bounded from below by how long pairs of rings overlap:
 *
 * <ul>
 *   <li>T(2) is at least the length of the union of the overlaps with each other ring, which is at
 *       least their sum minus what any two of them have in common (Bonferroni). It is just that
 *       unless four rings run at one moment.
 *   <li>T(2) + T(3) + ... is at least the sum of the overlaps with the rings on any one server.
 * </ul>
 *
 * So the bound is valid always, and exact as long as no four rings meet. If they may, a schedule
 * that was found is still called the best only if simulating it reaches the bound.
 */
final class Rings {
  /** Shares of time in whole numbers. */
  static final long SCALE = 10_000_000;

  private final TimeModel times;
  private final Servers servers;
  private final Orders orders;
  private final Instance instance;
  private final CpModel cp;
  private final int n;
  private final @Nullable BoolVar[][] meet;
  private final @Nullable IntVar[][] overlap;

  Rings(TimeModel times, Orders orders, Servers servers) {
    this.times = times;
    this.orders = orders;
    this.servers = servers;
    instance = times.instance();
    cp = times.cp();
    n = instance.size();
    meet = new BoolVar[n][n];
    overlap = new IntVar[n][n];
    for (int j = 0; j < n; j++) {
      for (int k = j + 1; k < n; k++) {
        if (mayMeet(j, k)) {
          pair(j, k);
        }
      }
    }
    for (int job = 0; job < n; job++) {
      List<Integer> others = others(job);
      if (!others.isEmpty()) {
        slow(job, others);
      }
    }
  }

  private boolean mayMeet(int j, int k) {
    int gpus = instance.jobs().gpus(j) + instance.jobs().gpus(k);
    return instance.mayContend(j)
        && instance.mayContend(k)
        && gpus <= instance.cluster().totalGpus();
  }

  private List<Integer> others(int job) {
    List<Integer> others = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      if (overlap[job][k] != null) {
        others.add(k);
      }
    }
    return others;
  }

  /** Two rings that leave one of two servers leave the other too. */
  private int serversToLookAt() {
    return instance.cluster().size() == 2 ? 1 : instance.cluster().size();
  }

  /** True if both cross servers and share this one. */
  private void bothCross(BoolVar flag, int j, int k, int server) {
    cp.addLessOrEqual(
        LinearExpr.newBuilder()
            .add(servers.crosses(j, server))
            .add(servers.crosses(k, server))
            .addTerm(flag, -1)
            .build(),
        1);
  }

  /** If two rings share a server, their overlap is at least what starts and ends say. */
  private void pair(int j, int k) {
    BoolVar sharing = times.flag("meet" + j + "_" + k);
    for (int s = 0; s < serversToLookAt(); s++) {
      bothCross(sharing, j, k, s);
    }
    BoolVar endsFirst = times.flag("ends" + j + "_" + k);
    cp.addLessOrEqual(times.end(j), times.end(k)).onlyEnforceIf(endsFirst);
    cp.addGreaterOrEqual(times.end(j), times.end(k)).onlyEnforceIf(endsFirst.not());
    Literal startsFirst = orders.startsFirst(j, k);
    IntVar both = times.duration("overlap" + j + "_" + k);
    Literal[] jInside = {sharing, startsFirst.not(), endsFirst};
    Literal[] kInside = {sharing, startsFirst, endsFirst.not()};
    Literal[] jThenK = {sharing, startsFirst, endsFirst};
    Literal[] kThenJ = {sharing, startsFirst.not(), endsFirst.not()};
    cp.addGreaterOrEqual(both, times.size(j)).onlyEnforceIf(jInside);
    cp.addGreaterOrEqual(both, times.size(k)).onlyEnforceIf(kInside);
    cp.addGreaterOrEqual(sum(both, times.start(k)), times.end(j)).onlyEnforceIf(jThenK);
    cp.addGreaterOrEqual(sum(both, times.start(j)), times.end(k)).onlyEnforceIf(kThenJ);
    atLeastTheRest(j, k, both, jInside, jThenK);
    atLeastTheRest(k, j, both, kInside, kThenJ);
    meet[j][k] = sharing;
    meet[k][j] = sharing;
    overlap[j][k] = both;
    overlap[k][j] = both;
  }

  /**
   * What a job still has to do when another ring joins it, it does beside that one: a shortcut for
   * the solver, which would come to it in many small steps.
   */
  private void atLeastTheRest(int j, int k, IntVar both, Literal[] inside, Literal[] first) {
    double alone = Double.POSITIVE_INFINITY;
    double beside = 0;
    for (Instance.Choice choice : instance.choices(j)) {
      if (choice.crosses()) {
        double[] tau = choice.iterationSeconds();
        alone = Math.min(alone, instance.iterations(j) * tau[0]);
        beside = Math.max(beside, tau[0] / tau[1]);
      }
    }
    long rate = (long) Math.ceil(SCALE * beside);
    long least = SCALE * (times.ticks().down(alone) - 3);
    cp.addGreaterOrEqual(LinearExpr.term(both, rate), least).onlyEnforceIf(inside);
    cp.addGreaterOrEqual(
            LinearExpr.newBuilder()
                .addTerm(both, rate)
                .addTerm(times.start(k), SCALE)
                .addTerm(times.start(j), -SCALE)
                .build(),
            least)
        .onlyEnforceIf(first);
  }

  private void slow(int job, List<Integer> others) {
    int most = instance.mostRings(job);
    IntVar[] beside = new IntVar[most - 1];
    for (int i = 0; i < beside.length; i++) {
      beside[i] = times.duration("beside" + job + "_" + (i + 2));
      cp.addLessOrEqual(beside[i], i == 0 ? times.size(job) : beside[i - 1]);
    }
    atLeastUnion(job, others, beside[0]);
    if (beside.length > 1) {
      atLeastSums(job, others, beside);
    }
    List<Instance.Choice> choices = instance.choices(job);
    for (int c = 0; c < choices.size(); c++) {
      if (choices.get(c).crosses()) {
        double[] tau = choices.get(c).iterationSeconds();
        // A tick for the job's own rounding, and one for each time that another joins it.
        long alone = servers.aloneTicks(job, choices.get(c)) - 1 - others.size();
        LinearExprBuilder least = LinearExpr.newBuilder().add(SCALE * alone);
        for (int i = 0; i < beside.length; i++) {
          double lost = tau[0] / tau[i] - tau[0] / tau[i + 1];
          least.addTerm(beside[i], (long) Math.floor(SCALE * Math.max(0, lost)));
        }
        cp.addGreaterOrEqual(LinearExpr.term(times.size(job), SCALE), least.build())
            .onlyEnforceIf(servers.chosen(job, c));
      }
    }
  }

  private void atLeastUnion(int job, List<Integer> others, IntVar beside) {
    LinearExprBuilder union = LinearExpr.newBuilder();
    for (int a = 0; a < others.size(); a++) {
      int k = others.get(a);
      cp.addGreaterOrEqual(beside, overlap(job, k));
      union.add(overlap(job, k));
      for (int b = a + 1; b < others.size(); b++) {
        int l = others.get(b);
        IntVar common = common(job, k, l);
        union.addTerm(common, -1);
        if (others.size() > 2) {
          cp.addGreaterOrEqual(sum(beside, common), sum(overlap(job, k), overlap(job, l)));
        }
      }
    }
    if (others.size() > 1) {
      cp.addGreaterOrEqual(beside, union.build());
    }
  }

  /** What a job's overlaps with two others have in common; at most what starts and ends say. */
  private IntVar common(int job, int k, int l) {
    IntVar all = times.duration("common" + job + "_" + k + "_" + l);
    BoolVar any = times.flag("any" + job + "_" + k + "_" + l);
    cp.addImplication(any, Objects.requireNonNull(meet[job][k]));
    cp.addImplication(any, Objects.requireNonNull(meet[job][l]));
    cp.addEquality(all, 0).onlyEnforceIf(any.not());
    int[] three = {job, k, l};
    for (int from : three) {
      for (int to : three) {
        cp.addLessOrEqual(sum(all, times.start(from)), times.end(to)).onlyEnforceIf(any);
      }
    }
    return all;
  }

  private void atLeastSums(int job, List<Integer> others, IntVar[] beside) {
    for (int s = 0; s < serversToLookAt(); s++) {
      LinearExprBuilder here = LinearExpr.newBuilder();
      for (int k : others) {
        BoolVar sharing = times.flag("share" + job + "_" + k + "_" + s);
        bothCross(sharing, job, k, s);
        IntVar both = times.duration("here" + job + "_" + k + "_" + s);
        cp.addGreaterOrEqual(both, overlap(job, k)).onlyEnforceIf(sharing);
        here.add(both);
      }
      cp.addGreaterOrEqual(LinearExpr.sum(beside), here.build());
    }
  }

  private IntVar overlap(int j, int k) {
    return Objects.requireNonNull(overlap[j][k]);
  }

  private static LinearExpr sum(IntVar a, IntVar b) {
    return LinearExpr.sum(new IntVar[] {a, b});
  }
}
