package io.ringmaster.simulator;

import io.ringmaster.model.Jobs;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Random numbers of a job that depend on the run's seed and the job's id alone. */
record JobChance(Jobs jobs, long seed) {
  /** A number in (0, 1], the same for the same index. */
  double uniform(int job, int index) {
    return uniform(bits(job), index);
  }

  /** A standard normal number (Box-Muller), out of the uniform ones 2 i and 2 i + 1. */
  double gaussian(int job, int index) {
    long bits = bits(job);
    double u = uniform(bits, 2 * index);
    double v = uniform(bits, 2 * index + 1);
    return StrictMath.sqrt(-2 * StrictMath.log(u)) * StrictMath.cos(2 * StrictMath.PI * v);
  }

  private long bits(int job) {
    long name = 1125899906842597L;
    for (int i = jobs.idFrom(job); i < jobs.idTo(job); i++) {
      name = 31 * name + jobs.idBytes()[i];
    }
    return mix(seed ^ mix(name));
  }

  /** Random numbers that depend on a seed and a name alone. */
  static SplittableRandom random(String name, long seed) {
    long bits = 1125899906842597L;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      bits = 31 * bits + b;
    }
    return new SplittableRandom(mix(seed ^ mix(bits)));
  }

  private static double uniform(long bits, int index) {
    long mixed = index == 0 ? bits : mix(bits + index);
    return ((mixed >>> 11) + 1) * 0x1p-53;
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long z0) {
    long z = z0 + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
