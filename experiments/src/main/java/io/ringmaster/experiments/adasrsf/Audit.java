package io.ringmaster.experiments.adasrsf;

import io.ringmaster.experiments.adasrsf.Workload.Job;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.adasrsf.AdaDual;
import io.ringmaster.policy.adasrsf.Gate;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Checks a run from what it says it did, with books of its own: a GPU does one task at a time and
 * its memory suffices; each worker does each task of each iteration, after the iteration before;
 * each transfer moves its bytes at the speeds that the overlaps allow; no node has more transfers
 * than the gate allows; each job is done, and then only.
 *
 * <p>Tasks are checked as they end, so that a long run need not be kept. Transfers are kept, since
 * one that starts later may slow one that ends later still.
 */
final class Audit {
  private static final double TOLERANCE = 1e-9;

  private final Workload workload;
  private final Machines machines;
  private final LinkCost cost;
  private final int mostTransfers;
  private final int[] memoryTaken;
  private final double[] gpuBusyUntil;
  private final int[][] gpusOf;
  private final int[][] nodesOf;

  /** Tasks done by each worker of a job. */
  private final int[][] tasksDone;

  /** Iterations whose end was seen, when the last one ended, and when all had computed in it. */
  private final int[] iterationsDone;

  private final double[] iterationEnd;
  private final double[] computed;
  private final int[] workersComputed;
  private final boolean[] finished;

  private final IntList transferJob = new IntList();
  private double[] transferStart = new double[16];
  private double[] transferEnd = new double[16];

  Audit(Workload workload, Machines machines, LinkCost cost, Gate gate) {
    int jobs = workload.size();
    this.workload = workload;
    this.machines = machines;
    this.cost = cost;
    this.mostTransfers =
        switch (gate) {
          case Gate.AtMost(int transfers) -> transfers;
          case AdaDual _ -> 2;
        };
    this.memoryTaken = new int[machines.gpus()];
    this.gpuBusyUntil = new double[machines.gpus()];
    this.gpusOf = new int[jobs][0];
    this.nodesOf = new int[jobs][0];
    this.tasksDone = new int[jobs][0];
    this.iterationsDone = new int[jobs];
    this.iterationEnd = new double[jobs];
    this.computed = new double[jobs];
    this.workersComputed = new int[jobs];
    this.finished = new boolean[jobs];
  }

  private static void require(boolean holds, int job, String what) {
    if (!holds) {
      throw new IllegalStateException("the run cannot be: job " + job + " " + what);
    }
  }

  void place(int index, int[] gpus, double now) {
    Job job = workload.job(index);
    require(gpusOf[index].length == 0, index, "is placed twice");
    require(now >= job.submitMillis(), index, "is placed before it comes");
    require(
        gpus.length == job.workers() && IntStream.of(gpus).distinct().count() == gpus.length,
        index,
        "has not one GPU for each worker");
    for (int gpu : gpus) {
      memoryTaken[gpu] += job.net().memoryMegabytes();
      require(memoryTaken[gpu] <= machines.memoryMegabytes(), index, "has too little memory");
    }
    gpusOf[index] = gpus.clone();
    nodesOf[index] = IntStream.of(gpus).map(machines::node).distinct().toArray();
    tasksDone[index] = new int[gpus.length];
    iterationEnd[index] = now;
  }

  /** A task of a job has ended on a GPU. */
  void task(int index, int gpu, double start, double end) {
    require(start >= gpuBusyUntil[gpu], index, "has a task beside another on a GPU");
    gpuBusyUntil[gpu] = end;
    int worker = worker(index, gpu);
    Job job = workload.job(index);
    boolean forward = tasksDone[index][worker] % 2 == 0;
    int iteration = tasksDone[index][worker]++ / 2;
    double takes = forward ? job.net().forwardMillis() : job.net().backwardMillis();
    require(close(end - start, takes), index, "has a task that takes too long or too short");
    require(iteration == iterationsDone[index], index, "starts an iteration twice");
    require(start >= iterationEnd[index], index, "starts an iteration before the last one's end");
    if (!forward && ++workersComputed[index] == job.workers()) {
      computed[index] = end;
      if (nodesOf[index].length == 1) {
        endIteration(index, end);
      }
    }
  }

  private int worker(int index, int gpu) {
    for (int worker = 0; worker < gpusOf[index].length; worker++) {
      if (gpusOf[index][worker] == gpu) {
        return worker;
      }
    }
    throw new IllegalStateException("the run cannot be: job " + index + " is not on GPU " + gpu);
  }

  private void endIteration(int index, double end) {
    workersComputed[index] = 0;
    iterationsDone[index]++;
    iterationEnd[index] = end;
  }

  /** The all-reduce of a job's iteration has ended. */
  void transfer(int index, double start, double end) {
    require(nodesOf[index].length > 1, index, "sends, though it is on one node");
    require(
        workersComputed[index] == workload.job(index).workers() && start >= computed[index],
        index,
        "sends before all its workers have computed");
    int at = transferJob.size();
    transferJob.add(index);
    transferStart = Grow.ensure(transferStart, at + 1);
    transferEnd = Grow.ensure(transferEnd, at + 1);
    transferStart[at] = start;
    transferEnd[at] = end;
    endIteration(index, end);
  }

  void finish(int index, double now) {
    Job job = workload.job(index);
    require(!finished[index], index, "ends twice");
    require(iterationsDone[index] == job.iterations(), index, "ends too soon");
    require(now == iterationEnd[index], index, "does not end with its last iteration");
    finished[index] = true;
    for (int gpu : gpusOf[index]) {
      memoryTaken[gpu] -= job.net().memoryMegabytes();
    }
  }

  /** Checks that all is done, and what each transfer moved. */
  void close() {
    for (int job = 0; job < finished.length; job++) {
      require(finished[job], job, "never ends");
    }
    int count = transferJob.size();
    int[] byStart = sorted(count, transferStart);
    int[] byEnd = sorted(count, transferEnd);
    double[] moved = new double[count];
    int[] active = new int[machines.nodes()];
    IntList underWay = new IntList();
    double before = 0;
    int started = 0;
    for (int ended = 0; ended < count; ) {
      boolean starts =
          started < count && transferStart[byStart[started]] < transferEnd[byEnd[ended]];
      int transfer = starts ? byStart[started] : byEnd[ended];
      double now = starts ? transferStart[transfer] : transferEnd[transfer];
      move(underWay, active, now - before, moved);
      before = now;
      for (int node : nodesOf[transferJob.get(transfer)]) {
        active[node] += starts ? 1 : -1;
        require(
            active[node] <= mostTransfers,
            transferJob.get(transfer),
            "sends beside too many others");
      }
      if (starts) {
        underWay.add(transfer);
        started++;
      } else {
        remove(underWay, transfer);
        checkMoved(transfer, moved[transfer]);
        ended++;
      }
    }
  }

  private static int[] sorted(int count, double[] keys) {
    return IntStream.range(0, count)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> keys[i]))
        .mapToInt(i -> i)
        .toArray();
  }

  /** Moves all that is under way on for a while. */
  private void move(IntList underWay, int[] active, double millis, double[] moved) {
    for (int i = 0; millis > 0 && i < underWay.size(); i++) {
      int most = 0;
      for (int node : nodesOf[transferJob.get(underWay.get(i))]) {
        most = Math.max(most, active[node]);
      }
      moved[underWay.get(i)] += millis / cost.millis(most);
    }
  }

  private static void remove(IntList underWay, int transfer) {
    int at = 0;
    while (underWay.get(at) != transfer) {
      at++;
    }
    underWay.set(at, underWay.get(underWay.size() - 1));
    underWay.pop();
  }

  private void checkMoved(int transfer, double moved) {
    int job = transferJob.get(transfer);
    double megabytes = workload.job(job).net().megabytes();
    require(close(moved, megabytes), job, "has not moved its bytes when its transfer ends");
  }

  private static boolean close(double a, double b) {
    return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b));
  }
}
