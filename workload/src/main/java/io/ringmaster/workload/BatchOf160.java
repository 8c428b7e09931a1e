package io.ringmaster.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The sizes of 160 jobs that the papers on contention share: Philly's mix, scaled down. Wang, Shi,
 * Wang, Chu, arXiv 2002.10105; Yu, Ji, Rajan, Liu, MobiHoc 2022 (arXiv 2207.07817), section 7.
 */
public final class BatchOf160 {
  private static final int[] SIZES = {1, 2, 4, 8, 16, 32};
  private static final int[] COUNTS = {80, 14, 26, 30, 8, 2};

  /** GPUs of the largest job. */
  public static final int LARGEST = SIZES[SIZES.length - 1];

  private BatchOf160() {}

  /** GPUs of each job, smallest first. */
  public static List<Integer> ascending() {
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < SIZES.length; i++) {
      sizes.addAll(Collections.nCopies(COUNTS[i], SIZES[i]));
    }
    return sizes;
  }

  /** GPUs of each job, in random order, so that no order by size helps anyone. */
  public static List<Integer> shuffled(Draws draws) {
    List<Integer> sizes = new ArrayList<>();
    for (int size : ascending()) {
      // Each size goes to a random place among those before it.
      sizes.add(draws.below(sizes.size() + 1), size);
    }
    return sizes;
  }
}
