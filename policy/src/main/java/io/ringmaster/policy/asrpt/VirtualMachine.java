package io.ringmaster.policy.asrpt;

import io.ringmaster.model.collect.LazyHeap;

/**
 * One machine that always works on the job with the least left, then the one that was submitted
 * first; what is optimal for the sum of completion times if jobs may be interrupted (Schrage 1968).
 */
final class VirtualMachine {
  private final double speed;
  private final LazyHeap left = new LazyHeap();
  private double atSeconds;

  VirtualMachine(double speed) {
    this.speed = speed;
  }

  /** Told that a job is done on this machine. */
  @FunctionalInterface
  interface Finished {
    void at(int job, double seconds);
  }

  /** A job arrives at the time that the machine was brought to. */
  void add(int job, double size) {
    left.put(job, size);
  }

  void remove(int job) {
    left.remove(job);
  }

  /** Works up to a time. */
  void advance(double toSeconds, Finished finished) {
    while (!left.isEmpty()) {
      int job = left.peek();
      double end = nextSeconds();
      if (end > toSeconds) {
        left.put(job, left.key(job) - (toSeconds - atSeconds) * speed);
        break;
      }
      left.poll();
      atSeconds = end;
      finished.at(job, end);
    }
    atSeconds = toSeconds;
  }

  /** When the next job is done if none arrives; never if there is none. */
  double nextSeconds() {
    return left.isEmpty() ? Double.POSITIVE_INFINITY : atSeconds + left.peekKey() / speed;
  }

  boolean isEmpty() {
    return left.isEmpty();
  }

  /** The job that is worked on. There must be one. */
  int current() {
    return left.peek();
  }

  /** What is left of a job that is not done. */
  double left(int job) {
    return left.key(job);
  }
}
