package io.ringmaster.training;

/**
 * An endless data set: points on three noisy spiral arms in the plane, to be told apart. Sample
 * {@code n} of a seed is the same in every process, so it does not matter who computes it.
 */
final class Spirals {
  static final int INPUTS = 2;
  static final int CLASSES = 3;

  private static final double TURN = 1.75 * Math.PI;
  private static final double NOISE = 1.3;
  private static final double SCALE = 2;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final double UNIT = 0x1p-53;

  private final long seed;

  Spirals(long seed) {
    this.seed = mix(seed);
  }

  /** Puts the coordinates of a sample at {@code offset} and returns its arm. */
  int sample(long number, float[] inputs, int offset) {
    long state = mix(seed ^ mix(number * GOLDEN));
    int arm = Math.floorMod(state, CLASSES);
    double along = unit(state += GOLDEN);
    // The sum of two is a triangle, which is noise enough and needs no logarithm.
    double noise = NOISE * (unit(state += GOLDEN) + unit(state + GOLDEN) - 1);
    double angle = arm * (2 * Math.PI / CLASSES) + along * TURN + noise;
    double radius = SCALE * (0.1 + 0.9 * along);
    inputs[offset] = (float) (radius * Math.cos(angle));
    inputs[offset + 1] = (float) (radius * Math.sin(angle));
    return arm;
  }

  /** Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
  static long mix(long state) {
    long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** From 0 to below 1. */
  static double unit(long state) {
    return (mix(state) >>> 11) * UNIT;
  }
}
