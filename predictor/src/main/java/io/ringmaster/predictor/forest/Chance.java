package io.ringmaster.predictor.forest;

/** SplitMix64: the JDK's generators cost more than the work that they serve here. */
final class Chance {
  private long state;

  Chance(long seed, int stream) {
    state = mix(mix(seed) + stream);
  }

  /** A number from 0 to {@code bound - 1}. */
  int below(int bound) {
    state += 0x9e3779b97f4a7c15L;
    return (int) (((mix(state) >>> 33) * bound) >>> 31);
  }

  private static long mix(long z0) {
    long z = (z0 ^ (z0 >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
