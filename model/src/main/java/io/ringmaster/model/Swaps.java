package io.ringmaster.model;

/**
 * Improves where the replicas of a pipeline are: two replicas of different stages on different
 * servers change places as long as an iteration becomes shorter, each time the two that shorten it
 * most; if none does, two that leave it as it is and shorten the stages in all.
 *
 * <p>In the steady state the slowest stage sets the pace. Its time changes only with the server
 * where its activations take longest or where its ring is narrowest, and with replicas of its own
 * or of the stages next to it: other swaps are not tried. With micro-batches the same is done for
 * the stage with the slowest passes and the one with the longest sum, though others may count.
 */
final class Swaps {
  private static final double TOLERANCE = 1e-12;

  private final PlacedPipeline placed;
  private double best;
  private double bestTotal;
  private int[] found = {};

  private Swaps(PlacedPipeline placed) {
    this.placed = placed;
    this.best = placed.seconds();
    this.bestTotal = placed.totalSeconds();
  }

  /** Swaps no more often than so. */
  static void refine(PlacedPipeline placed, int mostSwaps) {
    Swaps swaps = new Swaps(placed);
    int left = mostSwaps;
    while (left > 0 && swaps.one()) {
      left--;
    }
  }

  /** Makes the best swap; false if none helps. */
  private boolean one() {
    found = new int[0];
    for (int s : placed.critical()) {
      int slowest = placed.slowestExchange(s);
      int narrowest = placed.narrowestRing(s);
      tryServer(s, slowest);
      if (narrowest != slowest) {
        tryServer(s, narrowest);
      }
    }
    if (found.length == 0) {
      return false;
    }
    placed.swap(found[0], found[1], found[2], found[3]);
    return true;
  }

  private void tryServer(int s, int i) {
    for (int a = 0; a < placed.stages(); a++) {
      for (int j = 0; j < placed.servers() && placed.has(i, a); j++) {
        for (int b = 0; b < placed.stages() && j != i; b++) {
          boolean near = Math.abs(a - s) <= 1 || Math.abs(b - s) <= 1;
          if (a != b && near && placed.has(j, b)) {
            trySwap(i, a, j, b);
          }
        }
      }
    }
  }

  private void trySwap(int i, int a, int j, int b) {
    placed.swap(i, a, j, b);
    double seconds = placed.seconds();
    double total = placed.totalSeconds();
    placed.swap(i, b, j, a);
    if (seconds < best * (1 - TOLERANCE)
        || (seconds <= best && total < bestTotal * (1 - TOLERANCE))) {
      best = seconds;
      bestTotal = total;
      found = new int[] {i, a, j, b};
    }
  }
}
