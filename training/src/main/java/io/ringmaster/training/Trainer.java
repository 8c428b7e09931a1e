package io.ringmaster.training;

import java.util.Arrays;

/**
 * Data-parallel stochastic gradient descent, one worker's part.
 *
 * <p>A step takes the next {@code workers * batch} samples of the stream, so the order of samples
 * does not depend on the number of workers. The learning rate grows with the workers, as in Goyal
 * et al., "Accurate, large minibatch SGD", 2017, section 2.1, and rises to its new value over a few
 * steps as in section 2.2. Departures: the ramp begins at the rate that the last attempt had, and
 * is shorter, since a job may be resized often.
 */
final class Trainer {
  private static final int WARMUP_STEPS = 10;
  private static final int HELD_OUT = 2000;

  private final WorkerOptions options;
  private final Ring ring;
  private final Network network;
  private final Spirals data;
  private final Progress progress;
  private final double targetRate;
  private final double rateStep;
  private final float[] inputs = new float[Spirals.INPUTS];

  /** The gradient, then the loss, then how many want to stop: one sum tells it all to everybody. */
  private final float[] exchanged;

  /**
   * @param rateScale what the learning rate is multiplied by
   * @param progress where to go on; rank 0's counts
   */
  Trainer(WorkerOptions options, Ring ring, double rateScale, Progress progress) {
    this.options = options;
    this.ring = ring;
    this.progress = progress;
    network = new Network(options.hidden());
    data = new Spirals(options.seed());
    exchanged = new float[network.parameters() + 2];
    progress.share(ring);
    targetRate = options.rate() * rateScale;
    progress.rate = Math.min(progress.rate, targetRate);
    rateStep = (targetRate - progress.rate) / WARMUP_STEPS;
  }

  static Progress fresh(WorkerOptions options) {
    return new Progress(new Network(options.hidden()).initial(options.seed()), options.rate());
  }

  Progress progress() {
    return progress;
  }

  boolean isDone() {
    return progress.samples >= options.samples();
  }

  /** This worker's part of the next samples. */
  void compute() {
    Arrays.fill(exchanged, 0);
    long first =
        Math.min(progress.samples + (long) ring.rank() * options.batch(), options.samples());
    long end = Math.min(first + options.batch(), options.samples());
    double loss = 0;
    for (long number = first; number < end; number++) {
      int label = data.sample(number, inputs, 0);
      loss += network.addGradient(progress.parameters, inputs, 0, label, exchanged);
    }
    exchanged[network.parameters()] = (float) loss;
  }

  /**
   * Adds up what all computed, and takes the step.
   *
   * @param isStopWanted here
   * @return whether it is wanted anywhere: everybody learns it after the same step
   */
  boolean exchange(boolean isStopWanted) {
    int count = network.parameters();
    exchanged[count + 1] = isStopWanted ? 1 : 0;
    ring.allReduce(exchanged);
    long left = options.samples() - progress.samples;
    int taken = (int) Math.min((long) ring.size() * options.batch(), left);
    progress.rate = Math.min(progress.rate + rateStep, targetRate);
    float factor = (float) (progress.rate / taken);
    float[] parameters = progress.parameters;
    for (int i = 0; i < count; i++) {
      parameters[i] -= factor * exchanged[i];
    }
    progress.count(taken, exchanged[count] / taken);
    return exchanged[count + 1] > 0;
  }

  /** Share of samples that are told rightly, of those that training never sees. */
  double heldOutAccuracy() {
    int right = 0;
    for (int i = 1; i <= HELD_OUT; i++) {
      int label = data.sample(-i, inputs, 0);
      right += network.classify(progress.parameters, inputs, 0) == label ? 1 : 0;
    }
    return (double) right / HELD_OUT;
  }
}
