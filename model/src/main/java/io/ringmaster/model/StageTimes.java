package io.ringmaster.model;

import io.ringmaster.model.pipeline.Pipeline;
import io.ringmaster.model.pipeline.Stage;

/** Puts the times of a pipeline's stages together to that of an iteration. */
final class StageTimes {
  private final Pipeline pipeline;
  private final Pipelining pipelining;

  /** Forward and backward pass and the exchange with other stages. */
  private final double[] passes;

  /** What the sum of gradients takes beyond what it hides behind. */
  private final double[] late;

  StageTimes(Pipeline pipeline, Pipelining pipelining) {
    this.pipeline = pipeline;
    this.pipelining = pipelining;
    this.passes = new double[pipeline.size()];
    this.late = new double[pipeline.size()];
  }

  void set(int s, double exchangeSeconds, double ringBandwidth) {
    Stage stage = pipeline.stage(s);
    double sum = stage.ringBytes() / ringBandwidth;
    // With micro-batches the last one's backward pass is the first to know all of a gradient.
    double hidden = stage.backwardSeconds() / Math.max(1, pipelining.microBatches());
    passes[s] = stage.forwardSeconds() + stage.backwardSeconds() + exchangeSeconds;
    late[s] = pipelining.overlap() ? Math.max(0, sum - hidden) : sum;
  }

  double seconds() {
    int parts = pipelining.microBatches();
    double slowestWithSum = 0;
    double sumOfStages = 0;
    double slowestStage = 0;
    double longestSum = 0;
    for (int s = 0; s < passes.length; s++) {
      slowestWithSum = Math.max(slowestWithSum, passes[s] + late[s]);
      sumOfStages += passes[s];
      slowestStage = Math.max(slowestStage, passes[s]);
      longestSum = Math.max(longestSum, late[s]);
    }
    return parts == 0
        ? slowestWithSum
        : (sumOfStages + (parts - 1) * slowestStage) / parts + longestSum;
  }

  /** What the stages take one after the other, each with its sum. */
  double total() {
    double sum = 0;
    for (int s = 0; s < passes.length; s++) {
      sum += passes[s] + late[s];
    }
    return sum;
  }

  /** Stages that hold the others up: the slowest, or with micro-batches in passes and in sums. */
  int[] critical() {
    int slowest = 0;
    int slowestPasses = 0;
    int latest = 0;
    for (int s = 1; s < passes.length; s++) {
      slowest = passes[s] + late[s] > passes[slowest] + late[slowest] ? s : slowest;
      slowestPasses = passes[s] > passes[slowestPasses] ? s : slowestPasses;
      latest = late[s] > late[latest] ? s : latest;
    }
    return pipelining.microBatches() == 0 ? new int[] {slowest} : new int[] {slowestPasses, latest};
  }
}
