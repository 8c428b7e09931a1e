package io.ringmaster.predictor.loss;

/**
 * When a job is expected to be done.
 *
 * @param epochsDone how far it is
 * @param totalEpochs after how many it is done: never fewer than it has done
 * @param fitted whether a curve says so; else it is a guess
 * @param clamped whether the curve says more than the most that is allowed
 */
public record LossForecast(double epochsDone, double totalEpochs, boolean fitted, boolean clamped) {
  public double remainingEpochs() {
    return totalEpochs - epochsDone;
  }
}
