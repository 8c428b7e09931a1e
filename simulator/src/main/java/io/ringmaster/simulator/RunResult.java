package io.ringmaster.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What became of each job. */
public final class RunResult implements Validator.Outcomes {
  private final Lengths lengths;
  final double[] startSeconds;
  final double[] finishSeconds;
  final double[] heldSeconds;
  final double[] doneShare;
  final int[] restarts;
  double[] heldGpuSeconds = {};
  int finished;
  double energyJoules;
  double lostGpuSeconds;
  long events;
  Map<String, Object> notes = Map.of();
  List<Mishap> mishaps = List.of();

  RunResult(Lengths lengths, int jobs) {
    this.lengths = lengths;
    startSeconds = new double[jobs];
    Arrays.fill(startSeconds, Double.NaN);
    finishSeconds = new double[jobs];
    Arrays.fill(finishSeconds, Double.NaN);
    doneShare = new double[jobs];
    heldSeconds = new double[jobs];
    restarts = new int[jobs];
  }

  /** How long each job takes alone in its ideal place. */
  public Lengths lengths() {
    return lengths;
  }

  /** When the job first got GPUs; NaN if it never did before the run was cut off. */
  @Override
  public double startSeconds(int job) {
    return startSeconds[job];
  }

  /** When the job ended; NaN if the run was cut off before. */
  @Override
  public double finishSeconds(int job) {
    return finishSeconds[job];
  }

  @Override
  public double doneShare(int job) {
    return doneShare[job];
  }

  /** How long the job held GPUs, restarts included. */
  @Override
  public double heldSeconds(int job) {
    return heldSeconds[job];
  }

  public double heldGpuSeconds(int job) {
    return heldGpuSeconds[job];
  }

  /** How often the job was resumed, moved or resized. */
  @Override
  public int restarts(int job) {
    return restarts[job];
  }

  public int finished() {
    return finished;
  }

  /** What the GPUs that jobs held have drawn. */
  public double energyJoules() {
    return energyJoules;
  }

  /**
   * GPU-seconds that jobs held while they started or restarted and got no further, or did what was
   * lost when they were stopped.
   */
  public double lostGpuSeconds() {
    return lostGpuSeconds;
  }

  /** Arrivals, ends, outlived estimates, wake-ups, and moments at which something failed. */
  public long events() {
    return events;
  }

  /** What failed or was taken away, in order. */
  @Override
  public List<Mishap> mishaps() {
    return mishaps;
  }

  /** What the policy says of its own doing. */
  public Map<String, Object> notes() {
    return notes;
  }
}
