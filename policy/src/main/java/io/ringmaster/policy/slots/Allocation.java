package io.ringmaster.policy.slots;

import io.ringmaster.model.Demand;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Shares;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How many workers each job is to have, by the greedy rule that Optimus (Peng et al., EuroSys 2018,
 * section 4.1) and the doubling heuristic (Capes et al., arXiv 1908.08082) share: every job first
 * has its least number, and then, again and again, the job that gains the most for what it takes of
 * its dominant resource goes on to its next size. They differ in what the next size is.
 */
public final class Allocation {
  private final Shares shares;
  private final Shares.Holding held;
  private final List<Step> steps = new ArrayList<>();

  /**
   * Begins with nobody.
   *
   * @param held what is taken already; what jobs are given is added to it
   */
  public Allocation(Shares shares, Shares.Holding held) {
    this.shares = shares;
    this.held = held;
  }

  /** A job that may have workers. */
  public interface Candidate {
    /** What each worker takes beside its GPU. */
    Demand demand();

    /** The workers that it begins with. */
    int least();

    /** The next larger number of workers; the same number if there is none. */
    int next(int workers);

    /** How long it has to go with so many workers. */
    double seconds(int workers);
  }

  /** A job's next step. */
  private static final class Step implements Comparable<Step> {
    final int index;
    final Candidate job;
    final double workerShare;
    int from;
    int to;
    double secondsFrom;
    double secondsTo;
    double gain;

    Step(int index, Candidate job, double workerShare) {
      this.index = index;
      this.job = job;
      this.workerShare = workerShare;
      this.from = job.least();
      this.secondsFrom = job.seconds(from);
      look();
    }

    private void look() {
      to = job.next(from);
      if (to > from) {
        secondsTo = job.seconds(to);
        gain = (secondsFrom - secondsTo) / ((to - from) * workerShare);
      } else {
        gain = 0;
      }
    }

    void take() {
      from = to;
      secondsFrom = secondsTo;
      look();
    }

    @Override
    public int compareTo(Step other) {
      int byGain = Double.compare(other.gain, gain);
      return byGain != 0 ? byGain : Integer.compare(index, other.index);
    }
  }

  /**
   * Shares the cluster out. A job that does not fit is passed over, and so is a step.
   *
   * @param jobs those that come first are served first with their least number, and win ties
   * @param held what is taken already; what jobs are given is added to it
   * @return the workers of each job, 0 for those that are to wait
   */
  public static int[] of(List<? extends Candidate> jobs, Shares shares, Shares.Holding held) {
    Allocation allocation = new Allocation(shares, held);
    int[] workers = new int[jobs.size()];
    IntList served = new IntList();
    for (int i = 0; i < workers.length; i++) {
      if (allocation.add(jobs.get(i))) {
        served.add(i);
      }
    }
    int[] grown = allocation.grow();
    for (int i = 0; i < grown.length; i++) {
      workers[served.get(i)] = grown[i];
    }
    return workers;
  }

  /** Gives a job its least number of workers; false if they are not there. */
  public boolean add(Candidate job) {
    if (!held.leaves(job.demand(), job.least())) {
      return false;
    }
    held.add(job.demand(), job.least());
    steps.add(new Step(steps.size(), job, shares.ofWorker(job.demand())));
    return true;
  }

  /** Gives out the rest. Returns the workers of each job that was added. */
  public int[] grow() {
    PriorityQueue<Step> next = new PriorityQueue<>();
    steps.forEach(step -> enqueue(next, step));
    while (!next.isEmpty()) {
      Step step = next.remove();
      Demand demand = step.job.demand();
      if (held.leaves(demand, step.to - step.from)) {
        held.add(demand, step.to - step.from);
        step.take();
        enqueue(next, step);
      }
    }
    return steps.stream().mapToInt(step -> step.from).toArray();
  }

  private static void enqueue(PriorityQueue<Step> steps, Step step) {
    if (step.gain > 0) {
      steps.add(step);
    }
  }
}
