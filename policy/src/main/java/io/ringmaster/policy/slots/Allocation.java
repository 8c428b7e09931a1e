package io.ringmaster.policy.slots;

import io.ringmaster.model.Demand;
import io.ringmaster.policy.Shares;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How many workers each job is to have, by the greedy rule that Optimus (Peng et al., EuroSys 2018,
 * section 4.1) and the doubling heuristic (Capes et al., arXiv 1908.08082) share: every job first
 * has its least number, and then, again and again, the job that gains the most for what it takes of
 * its dominant resource goes on to its next size. They differ in what the next size is.
 */
public final class Allocation {
  private Allocation() {}

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
    int[] workers = new int[jobs.size()];
    PriorityQueue<Step> steps = new PriorityQueue<>();
    for (int i = 0; i < workers.length; i++) {
      Candidate job = jobs.get(i);
      if (held.leaves(job.demand(), job.least())) {
        held.add(job.demand(), job.least());
        Step step = new Step(i, job, shares.ofWorker(job.demand()));
        workers[i] = step.from;
        enqueue(steps, step);
      }
    }
    while (!steps.isEmpty()) {
      Step step = steps.remove();
      Demand demand = step.job.demand();
      if (held.leaves(demand, step.to - step.from)) {
        held.add(demand, step.to - step.from);
        step.take();
        workers[step.index] = step.from;
        enqueue(steps, step);
      }
    }
    return workers;
  }

  private static void enqueue(PriorityQueue<Step> steps, Step step) {
    if (step.gain > 0) {
      steps.add(step);
    }
  }
}
