package io.ringmaster.experiments.adasrsf;

import io.ringmaster.workload.BatchOf160;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** The jobs of a run, in order of submission. */
record Workload(List<Job> jobs) {
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
    for (int workers : BatchOf160.ascending()) {
      Net net = Net.ALL.get(random.nextInt(Net.ALL.size()));
      int iterations = shape.fewestIterations + (int) (random.nextDouble() * (span + 1));
      int submit = (int) (random.nextDouble() * shape.arrivalMillis);
      jobs.add(new Job(submit, net, workers, iterations));
    }
    jobs.sort(Comparator.comparingInt(Job::submitMillis));
    return new Workload(List.copyOf(jobs));
  }
}
