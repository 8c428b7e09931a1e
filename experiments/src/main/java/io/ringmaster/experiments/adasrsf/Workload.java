package io.ringmaster.experiments.adasrsf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** The jobs of a run, in order of submission. */
record Workload(List<Job> jobs) {
  private static final int[] SIZES = {1, 2, 4, 8, 16, 32};
  private static final int[] COUNTS = {80, 14, 26, 30, 8, 2};

  /** How a draw is made; the same seed draws the same sizes, models and shares of each range. */
  record Shape(int fewestIterations, int mostIterations, int arrivalMillis) {
    /**
     * So many times what the authors' public simulator has, iterations and time alike. The paper
     * has a hundred times as much.
     */
    static Shape scaled(int scale) {
      return new Shape(10 * scale, 60 * scale, 12_000 * scale);
    }

    Shape over(int millis) {
      return new Shape(fewestIterations, mostIterations, millis);
    }
  }

  /** A job. It does a forward and a backward task on each worker in every iteration. */
  record Job(int submitMillis, Net net, int workers, int iterations) {
    /** GPU-time of all tasks. */
    int serviceMillis() {
      return Math.multiplyExact(net.computeMillis() * iterations, workers);
    }
  }

  int size() {
    return jobs.size();
  }

  Job job(int index) {
    return jobs.get(index);
  }

  /** 160 jobs of the paper's sizes. Model, iterations and submission are drawn evenly. */
  static Workload draw(long seed, Shape shape) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Job> jobs = new ArrayList<>();
    int span = shape.mostIterations - shape.fewestIterations;
    for (int size = 0; size < SIZES.length; size++) {
      for (int i = 0; i < COUNTS[size]; i++) {
        Net net = Net.ALL.get(random.nextInt(Net.ALL.size()));
        int iterations = shape.fewestIterations + (int) (random.nextDouble() * (span + 1));
        int submit = (int) (random.nextDouble() * shape.arrivalMillis);
        jobs.add(new Job(submit, net, SIZES[size], iterations));
      }
    }
    jobs.sort(Comparator.comparingInt(Job::submitMillis));
    return new Workload(List.copyOf(jobs));
  }
}
