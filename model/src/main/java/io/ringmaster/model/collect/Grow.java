package io.ringmaster.model.collect;

import java.util.Arrays;

/** Arrays that grow by half, so that appending stays cheap and memory is not doubled. */
public final class Grow {
  private Grow() {}

  public static byte[] ensure(byte[] array, int length) {
    return length <= array.length ? array : Arrays.copyOf(array, larger(array.length, length));
  }

  public static int[] ensure(int[] array, int length) {
    return length <= array.length ? array : Arrays.copyOf(array, larger(array.length, length));
  }

  public static long[] ensure(long[] array, int length) {
    return length <= array.length ? array : Arrays.copyOf(array, larger(array.length, length));
  }

  public static double[] ensure(double[] array, int length) {
    return length <= array.length ? array : Arrays.copyOf(array, larger(array.length, length));
  }

  private static int larger(int from, int needed) {
    return Math.max(needed, from + (from >> 1) + 16);
  }
}
