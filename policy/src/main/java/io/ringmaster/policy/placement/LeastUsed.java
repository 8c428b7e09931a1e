package io.ringmaster.policy.placement;

import java.util.Arrays;

/**
 * Keeps the GPUs with the least planned time of those it is shown; ties go to the least tie number,
 * then to the first GPU. A heap with the worst of the kept ones on top.
 */
final class LeastUsed {
  private final double[] planned;
  private final int[] ties;
  private final int[] gpus;
  private int size;

  LeastUsed(int wanted) {
    planned = new double[wanted];
    ties = new int[wanted];
    gpus = new int[wanted];
  }

  void clear() {
    size = 0;
  }

  boolean isFull() {
    return size == gpus.length;
  }

  /** The most planned time of a kept GPU, once it is full. */
  double worst() {
    return planned[0];
  }

  void offer(int gpu, double plannedSeconds, int tie) {
    if (size < gpus.length) {
      int at = size++;
      while (at > 0 && isWorse(plannedSeconds, tie, gpu, (at - 1) / 2)) {
        move((at - 1) / 2, at);
        at = (at - 1) / 2;
      }
      put(at, gpu, plannedSeconds, tie);
    } else if (!isWorse(plannedSeconds, tie, gpu, 0)) {
      int at = 0;
      while (true) {
        int child = 2 * at + 1;
        if (child >= size) {
          break;
        }
        if (child + 1 < size
            && isWorse(planned[child + 1], ties[child + 1], gpus[child + 1], child)) {
          child++;
        }
        if (isWorse(plannedSeconds, tie, gpu, child)) {
          break;
        }
        move(child, at);
        at = child;
      }
      put(at, gpu, plannedSeconds, tie);
    }
  }

  private boolean isWorse(double plannedSeconds, int tie, int gpu, int at) {
    if (plannedSeconds != planned[at]) {
      return plannedSeconds > planned[at];
    }
    return tie != ties[at] ? tie > ties[at] : gpu > gpus[at];
  }

  private void move(int from, int to) {
    put(to, gpus[from], planned[from], ties[from]);
  }

  private void put(int at, int gpu, double plannedSeconds, int tie) {
    gpus[at] = gpu;
    planned[at] = plannedSeconds;
    ties[at] = tie;
  }

  /** Hands the kept GPUs over in ascending order; false if there are too few. */
  boolean into(int[] chosen) {
    if (!isFull()) {
      return false;
    }
    System.arraycopy(gpus, 0, chosen, 0, size);
    Arrays.sort(chosen);
    return true;
  }

  /**
   * Shows it the GPUs of a server that a job may take, the least planned if it may not have all.
   */
  void offerServer(Gpus.Offer offer, int server, int tie) {
    int room = offer.room(server);
    if (room == 0) {
      return;
    }
    Gpus all = offer.gpus();
    int end = all.first(server) + all.size(server);
    int open = 0;
    for (int g = all.first(server); g < end; g++) {
      open += offer.has(g) ? 1 : 0;
    }
    LeastUsed few = open > room ? new LeastUsed(room) : this;
    for (int g = all.first(server); g < end; g++) {
      if (offer.has(g)) {
        few.offer(g, all.plannedSeconds(g), tie);
      }
    }
    for (int i = 0; few != this && i < few.size; i++) {
      offer(few.gpus[i], few.planned[i], tie);
    }
  }
}
