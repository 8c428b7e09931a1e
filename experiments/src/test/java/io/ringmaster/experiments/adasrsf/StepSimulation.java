package io.ringmaster.experiments.adasrsf;

import io.ringmaster.experiments.adasrsf.Workload.Job;
import io.ringmaster.policy.adasrsf.AdaDual;
import io.ringmaster.policy.adasrsf.Gate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The same cluster in steps of a millisecond, as the authors' public simulator goes. All is looked
 * at in every step.
 *
 * <p>It can count twice, as that simulator does: asking how much is left of a transfer moves it on
 * by a step, and then the step moves it on again. Only AdaDUAL asks, once in every step for each
 * job that it keeps waiting.
 */
final class StepSimulation {
  private static final Machines MACHINES = Machines.PAPER;

  private final Workload workload;
  private final LinkCost cost;
  private final Placing placing;
  private final Gate gate;
  private final boolean countsTwice;
  private final List<List<Training>> onGpu = new ArrayList<>();
  private final @Nullable Training[] running = new Training[MACHINES.gpus()];
  private final int[] busyUntil = new int[MACHINES.gpus()];
  private final int[] memoryLeft = new int[MACHINES.gpus()];
  private final int[] sendingOn = new int[MACHINES.nodes()];
  private final List<Integer> waiting = new ArrayList<>();
  private final List<Training> trainings = new ArrayList<>();
  private final double[] ends;
  private int now;

  private static final class Training {
    final int index;
    final Job job;
    final int[] gpus;
    final int[] nodes;
    final int[] workerOn = new int[MACHINES.gpus()];
    int iterationsLeft;
    int serviceLeft;

    /** Tasks that each worker has done in this iteration, and workers that have done both. */
    final int[] tasks;

    int computed;
    boolean sends;
    double moved;
    double speed;

    Training(int index, Job job, int[] gpus) {
      this.index = index;
      this.job = job;
      this.gpus = gpus;
      this.nodes = IntStream.of(gpus).map(MACHINES::node).distinct().toArray();
      this.iterationsLeft = job.iterations();
      this.serviceLeft = job.serviceMillis();
      this.tasks = new int[gpus.length];
      for (int worker = 0; worker < gpus.length; worker++) {
        workerOn[gpus[worker]] = worker;
      }
    }

    int tasksOn(int gpu) {
      return tasks[workerOn[gpu]];
    }

    int taskMillis(int gpu) {
      return tasksOn(gpu) == 0 ? job.net().forwardMillis() : job.net().backwardMillis();
    }

    boolean meets(Training other) {
      return IntStream.of(nodes).anyMatch(a -> IntStream.of(other.nodes).anyMatch(b -> a == b));
    }
  }

  private static final Comparator<Training> SRSF =
      Comparator.comparingInt((Training t) -> t.serviceLeft).thenComparingInt(t -> t.index);

  StepSimulation(
      Workload workload, LinkCost cost, Placing placing, Gate gate, boolean countsTwice) {
    this.workload = workload;
    this.cost = cost;
    this.placing = placing;
    this.gate = gate;
    this.countsTwice = countsTwice;
    this.ends = new double[workload.size()];
    Arrays.fill(memoryLeft, MACHINES.memoryMegabytes());
    for (int gpu = 0; gpu < memoryLeft.length; gpu++) {
      onGpu.add(new ArrayList<>());
    }
  }

  /** When each job ended, in milliseconds. */
  double[] run() {
    int arrivals = 0;
    while (arrivals < ends.length || !waiting.isEmpty() || !trainings.isEmpty()) {
      int before = trainings.size();
      endTasks();
      endTransfers();
      boolean changed = trainings.size() < before;
      while (arrivals < ends.length && workload.job(arrivals).submitMillis() <= now) {
        waiting.add(arrivals++);
        changed = true;
      }
      if (changed) {
        place();
      }
      startTransfers();
      startTasks();
      for (Training training : trainings) {
        training.speed = training.sends ? 1 / cost.millis(mostSending(training)) : 0;
        training.moved += training.speed;
      }
      now++;
    }
    return ends;
  }

  private void endTasks() {
    for (int gpu = 0; gpu < running.length; gpu++) {
      Training training = running[gpu];
      if (training != null && busyUntil[gpu] == now) {
        running[gpu] = null;
        training.serviceLeft -= training.taskMillis(gpu);
        training.tasks[training.workerOn[gpu]]++;
        training.computed += training.tasksOn(gpu) == 2 ? 1 : 0;
        if (training.nodes.length == 1 && training.computed == training.gpus.length) {
          endIteration(training);
        }
      }
    }
  }

  private void endTransfers() {
    for (Training training : List.copyOf(trainings)) {
      if (training.sends && training.moved >= training.job.net().megabytes() - 1e-9) {
        training.sends = false;
        IntStream.of(training.nodes).forEach(node -> sendingOn[node]--);
        endIteration(training);
      }
    }
  }

  private void endIteration(Training training) {
    Arrays.fill(training.tasks, 0);
    training.computed = 0;
    training.iterationsLeft--;
    if (training.iterationsLeft == 0) {
      ends[training.index] = now;
      trainings.remove(training);
      for (int gpu : training.gpus) {
        onGpu.get(gpu).remove(training);
        memoryLeft[gpu] += training.job.net().memoryMegabytes();
      }
    }
  }

  private void place() {
    waiting.sort(
        Comparator.comparingInt((Integer job) -> workload.job(job).serviceMillis())
            .thenComparingInt(job -> job));
    waiting.removeIf(index -> {
      Job job = workload.job(index);
      int memory = job.net().memoryMegabytes();
      int[] chosen =
          IntStream.range(0, running.length)
              .filter(gpu -> memoryLeft[gpu] >= memory)
              .boxed()
              .sorted(order(job.workers()))
              .limit(job.workers())
              .mapToInt(gpu -> gpu)
              .toArray();
      if (chosen.length < job.workers()) {
        return false;
      }
      Training training = new Training(index, job, chosen);
      trainings.add(training);
      for (int gpu : chosen) {
        onGpu.get(gpu).add(training);
        memoryLeft[gpu] -= memory;
      }
      return true;
    });
  }

  private Comparator<Integer> order(int workers) {
    if (!(placing instanceof Placing.LeastWork(int kappa))) {
      return Comparator.naturalOrder();
    }
    double[] load = IntStream.range(0, running.length).mapToDouble(this::load).toArray();
    Comparator<Integer> byLoad = Comparator.comparingDouble(gpu -> load[gpu]);
    Comparator<Integer> byNode =
        Comparator.comparingDouble((Integer gpu) -> nodeLoad(load, MACHINES.node(gpu)))
            .thenComparingInt(MACHINES::node);
    return workers <= kappa ? byLoad : byNode.thenComparing(byLoad);
  }

  private double load(int gpu) {
    double load = 0;
    for (Training training : onGpu.get(gpu)) {
      Net net = training.job.net();
      double sending = training.nodes.length == 1 ? 0 : net.megabytes() * cost.millis(1);
      load += training.iterationsLeft * (net.computeMillis() + sending);
      load -= training.tasksOn(gpu) > 0 ? net.forwardMillis() : 0;
      load -= training.tasksOn(gpu) > 1 ? net.backwardMillis() : 0;
    }
    return load;
  }

  private static double nodeLoad(double[] load, int node) {
    int each = MACHINES.gpusPerNode();
    return Arrays.stream(load, node * each, (node + 1) * each).sum();
  }

  private int mostSending(Training training) {
    int most = 0;
    for (int node : training.nodes) {
      most = Math.max(most, sendingOn[node]);
    }
    return most;
  }

  private void startTransfers() {
    List<Training> ready = new ArrayList<>();
    for (Training training : trainings) {
      if (!training.sends && training.computed == training.gpus.length) {
        ready.add(training);
      }
    }
    ready.sort(SRSF);
    for (Training training : ready) {
      if (admits(training)) {
        training.sends = true;
        training.moved = 0;
        training.speed = 0;
        IntStream.of(training.nodes).forEach(node -> sendingOn[node]++);
      }
    }
  }

  private boolean admits(Training training) {
    int most = mostSending(training);
    double megabytes = training.job.net().megabytes();
    if (!(gate instanceof AdaDual) || most != 1) {
      return gate.admits(most, megabytes, () -> 0);
    }
    for (Training other : trainings) {
      if (other.sends && other.meets(training)) {
        other.moved += countsTwice ? other.speed : 0;
        double left = Math.max(0, other.job.net().megabytes() - other.moved);
        if (!gate.admits(1, megabytes, () -> left)) {
          return false;
        }
      }
    }
    return true;
  }

  private void startTasks() {
    for (int gpu = 0; gpu < running.length; gpu++) {
      Training first = null;
      for (Training each : onGpu.get(gpu)) {
        if (running[gpu] == null
            && each.tasksOn(gpu) < 2
            && (first == null || SRSF.compare(each, first) < 0)) {
          first = each;
        }
      }
      if (first != null) {
        running[gpu] = first;
        busyUntil[gpu] = now + first.taskMillis(gpu);
      }
    }
  }
}
