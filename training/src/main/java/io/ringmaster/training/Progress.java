package io.ringmaster.training;

/**
 * How far a training is: all that a checkpoint holds.
 *
 * <p>Mutable, and of one trainer.
 */
final class Progress {
  /** Over so many samples the loss is averaged: not over steps, whose size changes. */
  private static final double LOSS_SAMPLES = 4000;

  private static final int PIECES = 4;
  private static final int PIECE_BITS = 16;

  final float[] parameters;
  long samples;
  long iteration;
  double loss;
  double rate;

  Progress(float[] parameters, double rate) {
    this.parameters = parameters;
    this.rate = rate;
  }

  void count(int newSamples, double meanLoss) {
    double weight = samples == 0 ? 1 : 1 - Math.exp(-newSamples / LOSS_SAMPLES);
    loss += weight * (meanLoss - loss);
    samples += newSamples;
    iteration++;
  }

  /** Everybody goes on from rank 0's. */
  void share(Ring ring) {
    int counters = 4 * PIECES;
    float[] all = new float[parameters.length + counters];
    if (ring.rank() == 0) {
      System.arraycopy(parameters, 0, all, 0, parameters.length);
      write(all, 0, samples);
      write(all, 1, iteration);
      write(all, 2, Double.doubleToRawLongBits(loss));
      write(all, 3, Double.doubleToRawLongBits(rate));
    }
    ring.allReduce(all);
    System.arraycopy(all, 0, parameters, 0, parameters.length);
    samples = read(all, 0);
    iteration = read(all, 1);
    loss = Double.longBitsToDouble(read(all, 2));
    rate = Double.longBitsToDouble(read(all, 3));
  }

  /** A float holds 24 bits exactly: a long takes four of them. */
  private void write(float[] all, int counter, long value) {
    for (int piece = 0; piece < PIECES; piece++) {
      all[parameters.length + counter * PIECES + piece] =
          (value >>> (piece * PIECE_BITS)) & ((1 << PIECE_BITS) - 1);
    }
  }

  private long read(float[] all, int counter) {
    long value = 0;
    for (int piece = 0; piece < PIECES; piece++) {
      long bits = (long) all[parameters.length + counter * PIECES + piece];
      value |= bits << (piece * PIECE_BITS);
    }
    return value;
  }
}
