package io.ringmaster.experiments.adasrsf;

import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Chooses the GPUs that a job's workers go to. */
record GpuChoice(Machines machines, Placing placing, RandomGenerator random) {

  /**
   * One GPU for each worker, or null if too few have room.
   *
   * @param loads milliseconds of work left on each GPU
   */
  int @Nullable [] choose(int workers, IntPredicate hasRoom, IntToDoubleFunction loads) {
    int[] open = IntStream.range(0, machines.gpus()).filter(hasRoom).toArray();
    if (open.length < workers) {
      return null;
    }
    return switch (placing) {
      case Placing.FirstFit() -> IntStream.of(open).limit(workers).toArray();
      case Placing.Random() -> anyOf(open, workers);
      case Placing.LeastWork(int kappa) -> leastLoaded(open, workers, workers <= kappa, loads);
    };
  }

  private int[] anyOf(int[] open, int workers) {
    int[] chosen = new int[workers];
    for (int i = 0; i < workers; i++) {
      int at = random.nextInt(i, open.length);
      chosen[i] = open[at];
      open[at] = open[i];
    }
    return chosen;
  }

  private int[] leastLoaded(int[] open, int workers, boolean anywhere, IntToDoubleFunction loads) {
    double[] load = IntStream.range(0, machines.gpus()).mapToDouble(loads).toArray();
    Comparator<Integer> byLoad = Comparator.comparingDouble(gpu -> load[gpu]);
    Comparator<Integer> byNode =
        Comparator.comparingDouble((Integer gpu) -> nodeLoad(load, machines.node(gpu)))
            .thenComparingInt(machines::node);
    List<Integer> inOrder =
        IntStream.of(open)
            .boxed()
            .sorted(anywhere ? byLoad : byNode.thenComparing(byLoad))
            .toList();
    return inOrder.stream().limit(workers).mapToInt(gpu -> gpu).toArray();
  }

  /** The mean but for a factor; all nodes have as many GPUs. */
  private double nodeLoad(double[] load, int node) {
    double sum = 0;
    for (int i = 0; i < machines.gpusPerNode(); i++) {
      sum += load[node * machines.gpusPerNode() + i];
    }
    return sum;
  }
}
