package io.ringmaster.experiments.adasrsf;

import io.ringmaster.experiments.adasrsf.Workload.Job;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.policy.adasrsf.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cluster of Wang, Shi, Wang, Chu, "Communication Contention Aware Scheduling of Multiple Deep
 * Learning Training Jobs", arXiv 2002.10105, task by task.
 *
 * <p>GPUs are shared: a job may take any that has memory for a worker. An iteration is a forward
 * and a backward task on each worker, then one all-reduce, unless all workers are on one node.
 * Tasks are never stopped. A free GPU runs the ready task of the job with the least remaining
 * GPU-time (SRSF). Waiting jobs are placed by least GPU-time (SSF), and what does not fit is passed
 * over. The gate lets all-reduces start, in SRSF order.
 *
 * <p>Departures from the authors' public simulator:
 *
 * <ul>
 *   <li>Time goes from event to event, where theirs goes in steps of a millisecond. So an
 *       all-reduce ends when it has moved all, not at the next step.
 *   <li>A job contends with every all-reduce on its nodes. Theirs leaves out those on nodes that
 *       are no busier than the ones looked at before.
 *   <li>What is left of an all-reduce is not counted down twice.
 *   <li>The load of a GPU counts all-reduces at the speed of the simulated network, not at that of
 *       one nine times slower.
 *   <li>Nodes of equal load go by number, where theirs keep the order of the last sorting. Ties
 *       between jobs go to the earlier submission.
 * </ul>
 *
 * <p>Time is in milliseconds, unlike elsewhere: tasks take whole numbers of them, so what happens
 * at the same time is seen to.
 */
final class TaskSimulation {
  private final Workload workload;
  private final Machines machines;
  private final LinkCost cost;
  private final Gate gate;
  private final Audit audit;
  private final GpuChoice choice;
  private final Transfers transfers;
  private final List<Gpu> gpus;

  /** Ends of the task on each GPU, and of the transfer of each job after that. */
  private final IndexedHeap events = IndexedHeap.ascending();

  private final IndexedHeap waiting = IndexedHeap.ascending();
  private final @Nullable Training[] trainings;

  /** Jobs whose all-reduce may start, in SRSF order: while they wait nothing of them is done. */
  private final List<Training> readyToSend = new ArrayList<>();

  private final List<Gpu> touched = new ArrayList<>();
  private final double[] finishMillis;
  private double now;
  private int finished;
  private boolean roomMayHaveGrown;
  private boolean gateMayOpen;

  private static final class Training {
    final int index;
    final Job job;
    final int[] nodes;
    final List<Worker> workers = new ArrayList<>();
    int serviceLeftMillis;
    int iterationsLeft;

    /** Workers that have still to compute in this iteration. */
    int computing;

    double transferStart;

    Training(int index, Job job, int[] nodes) {
      this.index = index;
      this.job = job;
      this.nodes = nodes;
      this.serviceLeftMillis = job.serviceMillis();
      this.iterationsLeft = job.iterations();
    }

    boolean before(Training other) {
      return serviceLeftMillis < other.serviceLeftMillis
          || (serviceLeftMillis == other.serviceLeftMillis && index < other.index);
    }
  }

  /** A job's worker on a GPU. It does forward and backward tasks in turn. */
  private static final class Worker {
    final Training training;
    final Gpu gpu;
    int tasksDone;
    boolean ready;

    Worker(Training training, Gpu gpu) {
      this.training = training;
      this.gpu = gpu;
    }

    boolean doesForward() {
      return tasksDone % 2 == 0;
    }

    int taskMillis() {
      Net net = training.job.net();
      return doesForward() ? net.forwardMillis() : net.backwardMillis();
    }

    int computeLeftMillis() {
      int iterations = training.job.iterations();
      Net net = training.job.net();
      return (iterations - (tasksDone + 1) / 2) * net.forwardMillis()
          + (iterations - tasksDone / 2) * net.backwardMillis();
    }
  }

  /** A GPU with the workers that share it. */
  private static final class Gpu {
    final int index;
    final List<Worker> workers = new ArrayList<>();
    int memoryLeft;
    @Nullable Worker running;
    double taskStart;
    boolean touched;

    Gpu(int index, int memory) {
      this.index = index;
      this.memoryLeft = memory;
    }
  }

  /**
   * A run that has not begun.
   *
   * @param seed of random placement
   */
  TaskSimulation(
      Workload workload, Machines machines, LinkCost cost, Placing placing, Gate gate, long seed) {
    int jobs = workload.size();
    this.workload = workload;
    this.machines = machines;
    this.cost = cost;
    this.gate = gate;
    this.audit = new Audit(workload, machines, cost, gate);
    this.choice = new GpuChoice(machines, placing, new SplittableRandom(seed));
    this.transfers = new Transfers(cost, machines.nodes(), jobs, events, machines.gpus());
    this.gpus =
        IntStream.range(0, machines.gpus())
            .mapToObj(i -> new Gpu(i, machines.memoryMegabytes()))
            .toList();
    this.trainings = new Training[jobs];
    this.finishMillis = new double[jobs];
  }

  /** Runs to the end of the last job, and has it checked. Returns when each job ended. */
  double[] run() {
    int arrivals = 0;
    int jobs = workload.size();
    while (finished < jobs) {
      double next = events.isEmpty() ? Double.POSITIVE_INFINITY : events.peekKey();
      if (arrivals < jobs) {
        next = Math.min(next, workload.job(arrivals).submitMillis());
      }
      if (next == Double.POSITIVE_INFINITY) {
        throw new IllegalStateException(waiting.size() + " jobs wait for ever");
      }
      now = next;
      while (!events.isEmpty() && events.peekKey() <= now) {
        int event = events.poll();
        if (event < machines.gpus()) {
          endTask(gpus.get(event));
        } else {
          endTransfer(training(event - machines.gpus()));
        }
      }
      while (arrivals < jobs && workload.job(arrivals).submitMillis() <= now) {
        waiting.put(arrivals, workload.job(arrivals).serviceMillis());
        roomMayHaveGrown = true;
        arrivals++;
      }
      placeWaiting();
      startTransfers();
      startTasks();
    }
    audit.close();
    return finishMillis;
  }

  private Training training(int job) {
    Training training = trainings[job];
    if (training == null) {
      throw new IllegalStateException("job " + job + " has no GPUs");
    }
    return training;
  }

  private void endTask(Gpu gpu) {
    Worker worker = gpu.running;
    if (worker == null) {
      throw new IllegalStateException("GPU " + gpu.index + " is idle");
    }
    Training training = worker.training;
    audit.task(training.index, gpu.index, gpu.taskStart, now);
    gpu.running = null;
    touch(gpu);
    training.serviceLeftMillis -= worker.taskMillis();
    boolean iterationDone = !worker.doesForward();
    worker.tasksDone++;
    if (!iterationDone) {
      worker.ready = true;
    } else if (--training.computing == 0) {
      if (training.nodes.length > 1) {
        readyToSend(training);
      } else {
        endIteration(training);
      }
    }
  }

  private void readyToSend(Training training) {
    int at = 0;
    while (at < readyToSend.size() && readyToSend.get(at).before(training)) {
      at++;
    }
    readyToSend.add(at, training);
    gateMayOpen = true;
  }

  private void endTransfer(Training training) {
    audit.transfer(training.index, training.transferStart, now);
    transfers.end(training.index, now);
    gateMayOpen = true;
    endIteration(training);
  }

  private void endIteration(Training training) {
    training.iterationsLeft--;
    if (training.iterationsLeft == 0) {
      finish(training);
    } else {
      beginIteration(training);
    }
  }

  private void beginIteration(Training training) {
    training.computing = training.workers.size();
    for (Worker worker : training.workers) {
      worker.ready = true;
      touch(worker.gpu);
    }
  }

  private void finish(Training training) {
    for (Worker worker : training.workers) {
      worker.gpu.workers.remove(worker);
      worker.gpu.memoryLeft += training.job.net().memoryMegabytes();
    }
    audit.finish(training.index, now);
    finishMillis[training.index] = now;
    finished++;
    roomMayHaveGrown = true;
  }

  private void touch(Gpu gpu) {
    if (!gpu.touched) {
      gpu.touched = true;
      touched.add(gpu);
    }
  }

  private void placeWaiting() {
    if (!roomMayHaveGrown || waiting.isEmpty()) {
      return;
    }
    roomMayHaveGrown = false;
    List<Integer> passedOver = new ArrayList<>();
    while (!waiting.isEmpty()) {
      int index = waiting.poll();
      Job job = workload.job(index);
      int memory = job.net().memoryMegabytes();
      int[] chosen =
          choice.choose(job.workers(), gpu -> gpus.get(gpu).memoryLeft >= memory, this::loadMillis);
      if (chosen == null) {
        passedOver.add(index);
      } else {
        place(index, job, chosen);
      }
    }
    passedOver.forEach(index -> waiting.put(index, workload.job(index).serviceMillis()));
  }

  private void place(int index, Job job, int[] chosen) {
    int[] nodes = IntStream.of(chosen).map(machines::node).distinct().toArray();
    Training training = new Training(index, job, nodes);
    for (int gpu : chosen) {
      Worker worker = new Worker(training, gpus.get(gpu));
      training.workers.add(worker);
      worker.gpu.workers.add(worker);
      worker.gpu.memoryLeft -= job.net().memoryMegabytes();
    }
    trainings[index] = training;
    audit.place(index, chosen, now);
    beginIteration(training);
  }

  /** Tasks left of the workers on a GPU, and all-reduces left of their jobs if nobody contends. */
  private double loadMillis(int gpu) {
    int compute = 0;
    double sending = 0;
    for (Worker worker : gpus.get(gpu).workers) {
      Training training = worker.training;
      compute += worker.computeLeftMillis();
      if (training.nodes.length > 1) {
        sending += training.iterationsLeft * training.job.net().megabytes() * cost.millis(1);
      }
    }
    return compute + sending;
  }

  private void startTransfers() {
    if (!gateMayOpen) {
      return;
    }
    gateMayOpen = false;
    readyToSend.removeIf(training -> {
      double megabytes = training.job.net().megabytes();
      boolean starts = opens(training, megabytes);
      if (starts) {
        training.transferStart = now;
        transfers.start(training.index, training.nodes, megabytes, now);
      }
      return starts;
    });
  }

  private boolean opens(Training training, double megabytes) {
    int contenders = transfers.most(training.nodes);
    return gate.admits(contenders, megabytes, () -> transfers.leastLeft(training.nodes, now));
  }

  private void startTasks() {
    for (Gpu gpu : touched) {
      gpu.touched = false;
      Worker next = gpu.running == null ? firstReady(gpu) : null;
      if (next != null) {
        next.ready = false;
        gpu.running = next;
        gpu.taskStart = now;
        events.put(gpu.index, now + next.taskMillis());
      }
    }
    touched.clear();
  }

  private static @Nullable Worker firstReady(Gpu gpu) {
    Worker first = null;
    for (Worker worker : gpu.workers) {
      if (worker.ready && (first == null || worker.training.before(first.training))) {
        first = worker;
      }
    }
    return first;
  }
}
