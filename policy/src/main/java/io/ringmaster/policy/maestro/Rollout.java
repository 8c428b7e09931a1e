package io.ringmaster.policy.maestro;

import java.util.List;

/**
 * Plays simple rules to the end of the jobs that are there, and takes the first step of the best:
 * Bertsekas and Tsitsiklis call it a rollout. Each rule has a cap on workers and does one of three
 * things whenever a job ends; what starts and restarts cost is counted. So it is found out, and not
 * decided beforehand, whether few large jobs one after the other are better than many small ones
 * side by side, and whether a change pays.
 *
 * <p>The work is bounded: 42 rules, at most {@link #MOST_JOBS} jobs, each event looks at all.
 */
final class Rollout {
  /** With more jobs than this it is not asked. */
  static final int MOST_JOBS = 64;

  private static final int MOST_CAP = 64;

  /** What a rule does with jobs that run and jobs that wait. */
  private enum Habit {
    /** Who runs stays as it is; who waits starts with what is free, up to the cap. */
    KEEP,
    /** The same, but nobody starts below the cap. */
    KEEP_FOR_FULL,
    /** All is given out anew, in order, up to the cap. */
    ANEW
  }

  private record Rule(int cap, Habit habit, boolean grows) {}

  /**
   * A job, as it is now.
   *
   * @param leftSeconds at the speed of one
   * @param speeds by workers, up to the most that it may have
   * @param present workers that it has; 0: it waits
   * @param fixed whether it keeps those to its end
   * @param begun whether it ran before, so that a start is a restart
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Job(
      double leftSeconds, double[] speeds, int least, int present, boolean fixed, boolean begun) {
    int most() {
      return speeds.length - 1;
    }

    /** The greatest size that is not above a number: the least, a power of two, or the most. */
    int sizeUpTo(int workers) {
      if (workers >= most()) {
        return most();
      }
      int power = Integer.highestOneBit(workers);
      return power >= least ? power : workers >= least ? least : 0;
    }
  }

  private final List<Job> jobs;
  private final int gpus;
  private final double startSeconds;
  private final double restartSeconds;
  private final boolean forLast;

  private final int[] workers;
  private final double[] left;
  private final double[] delay;
  private final boolean[] begun;
  private double best = Double.POSITIVE_INFINITY;
  private int[] bestFirst = {};

  /**
   * @param jobs in the order in which they are served
   * @param gpus all that they may have
   * @param forLast whether the end of the last counts, and not the mean
   */
  Rollout(List<Job> jobs, int gpus, double startSeconds, double restartSeconds, boolean forLast) {
    this.jobs = jobs;
    this.gpus = gpus;
    this.startSeconds = startSeconds;
    this.restartSeconds = restartSeconds;
    this.forLast = forLast;
    this.workers = new int[jobs.size()];
    this.left = new double[jobs.size()];
    this.delay = new double[jobs.size()];
    this.begun = new boolean[jobs.size()];
  }

  /** Workers of each job from now on; empty if no rule can serve them all. */
  int[] run() {
    for (Habit habit : Habit.values()) {
      for (int cap = 1; cap <= MOST_CAP; cap *= 2) {
        play(new Rule(cap, habit, false));
        play(new Rule(cap, habit, true));
      }
    }
    return bestFirst;
  }

  private void play(Rule rule) {
    int there = jobs.size();
    for (int i = 0; i < there; i++) {
      Job job = jobs.get(i);
      workers[i] = job.present;
      left[i] = job.leftSeconds;
      delay[i] = 0;
      begun[i] = job.begun;
    }
    int[] first = {};
    double now = 0;
    double sum = 0;
    while (there > 0) {
      giveOut(rule);
      first = first.length == 0 ? workers.clone() : first;
      double step = Double.POSITIVE_INFINITY;
      for (int i = 0; i < workers.length; i++) {
        if (workers[i] > 0) {
          step = Math.min(step, delay[i] + left[i] / jobs.get(i).speeds[workers[i]]);
        }
      }
      now += step;
      if (!((forLast ? now : sum + there * now) < best)) {
        return;
      }
      for (int i = 0; i < workers.length; i++) {
        if (workers[i] > 0) {
          double ran = step - delay[i];
          delay[i] = Math.max(0, -ran);
          left[i] -= Math.max(0, ran) * jobs.get(i).speeds[workers[i]];
          if (left[i] <= 1e-9 * (1 + jobs.get(i).leftSeconds)) {
            workers[i] = 0;
            left[i] = -1;
            sum += now;
            there--;
          }
        }
      }
    }
    best = forLast ? now : sum;
    bestFirst = first;
  }

  private boolean waits(int i) {
    return workers[i] == 0 && left[i] >= 0;
  }

  private void giveOut(Rule rule) {
    int[] before = workers.clone();
    int free = gpus;
    for (int i = 0; i < workers.length; i++) {
      if (rule.habit == Habit.ANEW && !jobs.get(i).fixed) {
        workers[i] = 0;
      }
      free -= workers[i];
    }
    boolean anyWaits = false;
    for (int i = 0; i < workers.length; i++) {
      if (waits(i)) {
        Job job = jobs.get(i);
        int full = job.sizeUpTo(Math.min(gpus, Math.max(job.least, rule.cap)));
        int size = job.sizeUpTo(Math.min(free, full));
        boolean starts = size > 0 && (rule.habit != Habit.KEEP_FOR_FULL || size == full);
        workers[i] = starts ? size : 0;
        free -= workers[i];
        anyWaits |= !starts;
      }
    }
    if (rule.grows && !anyWaits) {
      grow(before, free);
    }
    for (int i = 0; i < workers.length; i++) {
      if (workers[i] != before[i] && workers[i] > 0) {
        delay[i] = begun[i] ? restartSeconds : startSeconds;
        begun[i] = true;
      }
    }
  }

  /** What is idle goes to those who end sooner with it, restarts counted. */
  private void grow(int[] before, int idle) {
    int free = idle;
    for (int i = 0; i < workers.length; i++) {
      Job job = jobs.get(i);
      int size = workers[i];
      while (size > 0 && !job.fixed && size < job.most()) {
        int next = Math.min(2 * Integer.highestOneBit(size), job.most());
        if (next - size > free || !pays(i, before[i], next)) {
          break;
        }
        free -= next - size;
        size = next;
      }
      workers[i] = size;
    }
  }

  private boolean pays(int i, int before, int next) {
    double[] speeds = jobs.get(i).speeds;
    boolean ran = before > 0 && workers[i] == before;
    double now = (ran ? delay[i] : restartSeconds) + left[i] / speeds[workers[i]];
    return restartSeconds + left[i] / speeds[next] < now;
  }
}
