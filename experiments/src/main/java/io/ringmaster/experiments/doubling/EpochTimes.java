package io.ringmaster.experiments.doubling;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.predictor.regression.LeastSquares;
import io.ringmaster.predictor.regression.NonNegativeLeastSquares;
import java.util.Arrays;

/**
 * The one job of the experiment: ResNet-110 on CIFAR-10, whose epoch takes 138.0, 81.9, 47.25 and
 * 29.6 s with 1, 2, 4 and 8 workers. A form of all-reduce is fitted to these four times, for the
 * numbers of workers between them.
 *
 * <p>A ring has as many unknowns as there are times, so it goes through all of them. Forms with
 * log2 w steps cannot: from 4 to 8 workers an exchange takes almost twice as long, its steps grow
 * by half.
 *
 * @param worstError the greatest relative error at the four times
 */
record EpochTimes(ModelProfile profile, double worstError) {
  /** Mini-batches of an epoch. Any number gives the same times. */
  static final int BATCHES = 100;

  private static final int[] WORKERS = {1, 2, 4, 8};
  private static final double[] EPOCH_SECONDS = {138.0, 81.9, 47.25, 29.6};
  private static final double GRADIENT_BYTES = 6.9e6;
  private static final int BATCH = 128;

  static double measuredSeconds(int workers) {
    return EPOCH_SECONDS[Arrays.binarySearch(WORKERS, workers)];
  }

  /** Fits a form, no term negative, such that the sum of the squared relative errors is least. */
  static EpochTimes fitted(AllReduce form) {
    double[][] rows = new double[WORKERS.length][];
    double[] ones = new double[WORKERS.length];
    Arrays.fill(ones, 1);
    for (int i = 0; i < rows.length; i++) {
      int workers = WORKERS[i];
      // An epoch's mini-batches are shared out among the workers.
      double iterationSeconds = EPOCH_SECONDS[i] * workers / BATCHES;
      double[] terms = {1, workers > 1 ? 1 : 0, form.share(workers), form.steps(workers)};
      rows[i] = Arrays.stream(terms).map(term -> term / iterationSeconds).toArray();
    }
    double[] fit = NonNegativeLeastSquares.solve(rows, ones);
    double worst =
        Arrays.stream(rows)
            .mapToDouble(row -> Math.abs(LeastSquares.dot(fit, row) - 1))
            .max()
            .orElseThrow();
    ModelProfile profile =
        new ModelProfile("resnet110", GRADIENT_BYTES, BATCH, 0, fit[0], "fitted to epoch times")
            .exchanging(FittedExchange.anywhere(form, fit[1], fit[2], fit[3]));
    return new EpochTimes(profile, worst);
  }
}
