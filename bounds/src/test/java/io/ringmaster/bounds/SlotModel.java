package io.ringmaster.bounds;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.gadget.SlotProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The integer program of a slot: which option each job has, and how many workers on each server.
 */
final class SlotModel {
  /** Profits are whole numbers up to this one, which stands for the greatest of all. */
  private static final double PROFITS = 1e9;

  private final CpModel cp = new CpModel();
  private final SlotProblem problem;
  private final Cluster cluster;
  private final List<SlotOptions> jobs;
  private final IntVar[][] workers;
  private final BoolVar[][] used;
  private final LinearExprBuilder[][] linked;
  private final double unit;
  private final LinearExprBuilder profit = LinearExpr.newBuilder();

  SlotModel(SlotProblem problem, List<SlotOptions> jobs) {
    this.problem = problem;
    this.cluster = problem.cluster();
    this.jobs = jobs;
    int servers = cluster.size();
    workers = new IntVar[jobs.size()][servers];
    used = new BoolVar[jobs.size()][servers];
    linked = new LinearExprBuilder[jobs.size()][servers];
    unit = jobs.stream().mapToDouble(SlotOptions::mostProfit).max().orElse(0) / PROFITS;
    for (int job = 0; job < jobs.size(); job++) {
      choose(job);
    }
    for (int s = 0; s < servers; s++) {
      hold(s);
    }
    for (int r = 0; r < cluster.racks().size(); r++) {
      leave(r);
    }
    cp.maximize(profit);
  }

  CpModel cp() {
    return cp;
  }

  private void choose(int job) {
    SlotOptions options = jobs.get(job);
    LinearExprBuilder[] least = new LinearExprBuilder[cluster.size()];
    for (int s = 0; s < cluster.size(); s++) {
      workers[job][s] = cp.newIntVar(0, options.room(s), "workers" + job + "_" + s);
      used[job][s] = cp.newBoolVar("used" + job + "_" + s);
      linked[job][s] = LinearExpr.newBuilder().add(used[job][s]);
      least[s] = LinearExpr.newBuilder();
    }
    List<BoolVar> chosen = new ArrayList<>();
    LinearExprBuilder sum = LinearExpr.newBuilder();
    LinearExprBuilder count = LinearExpr.newBuilder();
    for (SlotOptions.Option option : options.options()) {
      BoolVar it = cp.newBoolVar("chosen" + job + "_" + chosen.size());
      chosen.add(it);
      sum.addTerm(it, option.workers());
      count.addTerm(it, option.servers());
      profit.addTerm(it, scaled(option.profit()));
      if (!option.crosses()) {
        least[option.server()].addTerm(it, option.workers());
        linked[job][option.server()].addTerm(it, -1);
      }
    }
    Placement kept = options.kept();
    if (kept != null) {
      BoolVar it = cp.newBoolVar("kept" + job);
      chosen.add(it);
      sum.addTerm(it, kept.workers());
      count.addTerm(it, kept.size());
      profit.addTerm(it, scaled(options.keptProfit()));
      for (int i = 0; i < kept.size(); i++) {
        least[kept.server(i)].addTerm(it, kept.gpus(i));
      }
    }
    cp.addAtMostOne(chosen.toArray(new BoolVar[0]));
    cp.addEquality(LinearExpr.sum(workers[job]), sum);
    cp.addEquality(LinearExpr.sum(used[job]), count);
    for (int s = 0; s < cluster.size(); s++) {
      cp.addLessOrEqual(used[job][s], workers[job][s]);
      cp.addLessOrEqual(workers[job][s], LinearExpr.term(used[job][s], options.room(s)));
      cp.addLessOrEqual(least[s], workers[job][s]);
    }
  }

  private long scaled(double value) {
    return Math.round(value / unit);
  }

  /** GPUs, CPUs, memory and link of a server. */
  private void hold(int server) {
    LinearExprBuilder gpus = LinearExpr.newBuilder();
    for (IntVar[] job : workers) {
      gpus.add(job[server]);
    }
    cp.addLessOrEqual(gpus, cluster.gpus(server));
    share(server, Demand::cpus, cluster.server(server).cpus());
    share(server, Demand::memoryBytes, cluster.server(server).memoryBytes());
    Parts link = parts(Demand::ringBytesPerSecond, cluster.server(server).nicBytesPerSecond());
    LinearExprBuilder reserved = LinearExpr.newBuilder();
    for (int job = 0; job < workers.length; job++) {
      reserved.addTerm(linked[job][server].build(), link.amount(job));
    }
    cp.addLessOrEqual(reserved, link.capacity());
  }

  private void share(int server, ToDoubleFunction<Demand> each, double capacity) {
    Parts parts = parts(each, capacity);
    LinearExprBuilder taken = LinearExpr.newBuilder();
    for (int job = 0; job < workers.length; job++) {
      taken.addTerm(workers[job][server], parts.amount(job));
    }
    cp.addLessOrEqual(taken, parts.capacity());
  }

  private Parts parts(ToDoubleFunction<Demand> each, double capacity) {
    return Parts.of(
        problem.jobs().stream().mapToDouble(job -> each.applyAsDouble(job.demand())).toArray(),
        capacity);
  }

  /** A ring with all servers in one rack, its home, takes nothing of the uplink. */
  private void leave(int rack) {
    Parts uplink =
        parts(Demand::ringBytesPerSecond, cluster.racks().get(rack).uplinkBytesPerSecond());
    LinearExprBuilder reserved = LinearExpr.newBuilder();
    for (int job = 0; job < workers.length; job++) {
      if (uplink.amount(job) == 0) {
        continue;
      }
      BoolVar home = cp.newBoolVar("home" + job + "_" + rack);
      BoolVar leaves = cp.newBoolVar("leaves" + job + "_" + rack);
      for (int s = 0; s < cluster.size(); s++) {
        if (cluster.topology().rack(s) == rack) {
          cp.addLessOrEqual(used[job][s], LinearExpr.newBuilder().add(home).add(leaves).build());
        } else {
          cp.addImplication(home, used[job][s].not());
        }
      }
      reserved.addTerm(leaves, uplink.amount(job));
    }
    cp.addLessOrEqual(reserved, uplink.capacity());
  }

  /** Where each job is in a solution; null: it waits. */
  List<@Nullable Placement> placements(CpSolver solved) {
    List<@Nullable Placement> placements = new ArrayList<>();
    for (int job = 0; job < workers.length; job++) {
      int[] servers = new int[cluster.size()];
      int[] gpus = new int[cluster.size()];
      int count = 0;
      for (int s = 0; s < servers.length; s++) {
        int here = (int) solved.value(workers[job][s]);
        if (here > 0) {
          servers[count] = s;
          gpus[count++] = here;
        }
      }
      placements.add(
          count == 0
              ? null
              : currentIfSame(
                  job, Placement.of(Arrays.copyOf(servers, count), Arrays.copyOf(gpus, count))));
    }
    return placements;
  }

  /** The same servers in another order would be taken for a move. */
  private Placement currentIfSame(int job, Placement placement) {
    Placement current = problem.jobs().get(job).current();
    return current != null && jobs.get(job).isCurrent(placement) ? current : placement;
  }

  /** What an objective value is worth. */
  double profit(double objective) {
    return objective * unit;
  }

  /** By how much rounding may change the sum of profits. */
  double roundingProfit() {
    return unit * jobs.size();
  }
}
