package io.ringmaster.bounds;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How many workers of each job sit on each server, and how long the job takes there at least: alone
 * on those servers.
 */
final class Servers {
  private final TimeModel times;
  private final Instance instance;
  private final CpModel cp;
  private final Cluster cluster;
  private final IntVar[][] workers;
  private final BoolVar[][] chosen;

  Servers(TimeModel times, Orders orders) {
    this.times = times;
    instance = times.instance();
    cp = times.cp();
    cluster = instance.cluster();
    int n = instance.size();
    workers = new IntVar[n][cluster.size()];
    chosen = new BoolVar[n][0];
    for (int job = 0; job < n; job++) {
      place(job);
    }
    for (int s = 0; s < cluster.size(); s++) {
      for (int job = 0; job < n; job++) {
        room(orders, s, job);
      }
    }
    alike();
  }

  private void place(int job) {
    int gpus = instance.jobs().gpus(job);
    for (int s = 0; s < cluster.size(); s++) {
      workers[job][s] = times.count(Math.min(gpus, cluster.gpus(s)), "workers" + job + "_" + s);
    }
    cp.addEquality(LinearExpr.sum(workers[job]), gpus);
    if (instance.sameEverywhere(job)) {
      return;
    }
    List<Instance.Choice> choices = instance.choices(job);
    chosen[job] = new BoolVar[choices.size()];
    LinearExprBuilder alone = LinearExpr.newBuilder();
    for (int c = 0; c < choices.size(); c++) {
      chosen[job][c] = times.flag("chosen" + job + "_" + c);
      alone.addTerm(chosen[job][c], aloneTicks(job, choices.get(c)));
    }
    cp.addExactlyOne(chosen[job]);
    cp.addGreaterOrEqual(times.size(job), alone.build());
    for (int s = 0; s < cluster.size(); s++) {
      LinearExprBuilder least = LinearExpr.newBuilder();
      LinearExprBuilder most = LinearExpr.newBuilder();
      for (int c = 0; c < choices.size(); c++) {
        Instance.Choice choice = choices.get(c);
        if (choice.uses(s)) {
          int others = Integer.bitCount(choice.servers()) - 1;
          least.addTerm(chosen[job][c], others == 0 ? gpus : 1);
          most.addTerm(chosen[job][c], Math.min(cluster.gpus(s), gpus - others));
        }
      }
      cp.addGreaterOrEqual(workers[job][s], least.build());
      cp.addLessOrEqual(workers[job][s], most.build());
    }
  }

  /** When a job starts, its server has room beside those that run there. */
  private void room(Orders orders, int server, int job) {
    LinearExprBuilder sum = LinearExpr.newBuilder().add(workers[job][server]);
    for (int k = 0; k < workers.length; k++) {
      if (k != job) {
        IntVar beside = times.count(cluster.gpus(server), "beside" + job + "_" + k + "_" + server);
        cp.addGreaterOrEqual(beside, workers[k][server]).onlyEnforceIf(orders.during(k, job));
        sum.add(beside);
      }
    }
    cp.addLessOrEqual(sum.build(), cluster.gpus(server));
  }

  /** Of equal servers the first holds no less of the widest job. */
  private void alike() {
    int widest = 0;
    for (int job = 1; job < workers.length; job++) {
      widest = instance.jobs().gpus(job) > instance.jobs().gpus(widest) ? job : widest;
    }
    for (int s = 0; s < cluster.size(); s++) {
      for (int t = s + 1; t < cluster.size(); t++) {
        if (alike(cluster.server(s), cluster.server(t))) {
          cp.addGreaterOrEqual(workers[widest][s], workers[widest][t]);
        }
      }
    }
  }

  private static boolean alike(Server a, Server b) {
    return a.equals(b.named(a.name()));
  }

  long aloneTicks(int job, Instance.Choice choice) {
    return times.ticks().down(instance.iterations(job) * choice.iterationSeconds()[0]);
  }

  /** Whether a job uses just the servers of one of its choices. */
  BoolVar chosen(int job, int choice) {
    return chosen[job][choice];
  }

  /** One if the job crosses servers and uses this one, else zero. */
  LinearExpr crosses(int job, int server) {
    LinearExprBuilder sum = LinearExpr.newBuilder();
    List<Instance.Choice> choices = instance.choices(job);
    for (int c = 0; c < choices.size(); c++) {
      if (choices.get(c).crosses() && choices.get(c).uses(server)) {
        sum.add(chosen[job][c]);
      }
    }
    return sum.build();
  }

  List<Placement> placements(CpSolver solved) {
    List<Placement> placements = new ArrayList<>();
    for (IntVar[] job : workers) {
      int[] servers = new int[job.length];
      int[] gpus = new int[job.length];
      int used = 0;
      for (int s = 0; s < job.length; s++) {
        if (solved.value(job[s]) > 0) {
          servers[used] = s;
          gpus[used++] = (int) solved.value(job[s]);
        }
      }
      placements.add(Placement.of(Arrays.copyOf(servers, used), Arrays.copyOf(gpus, used)));
    }
    return placements;
  }
}
