package io.ringmaster.policy.slots;

import io.ringmaster.model.Demand;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.policy.Shares;
import java.util.ArrayList;
import java.util.List;

/**
 * How many workers each job is to have, by the greedy rule that Optimus (Peng et al., EuroSys 2018,
 * section 4.1) and the doubling heuristic (Capes et al., arXiv 1908.08082) share: every job first
 * has its least number, and then, again and again, the job that gains the most for what it takes of
 * its dominant resource goes on to its next size. They differ in what the next size is.
 */
public final class Allocation<C extends Allocation.Candidate> {
  private final Shares shares;
  private final Shares.Holding held;
  private final List<C> jobs = new ArrayList<>();
  private int[] workers = new int[0];

  /** Of each job: how long it goes on as it is, its next step, and what that gains. */
  private double[] seconds = new double[0];

  private int[] nextWorkers = new int[0];
  private double[] nextSeconds = new double[0];
  private double[] gains = new double[0];

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

  /**
   * Shares the cluster out. A job that does not fit is passed over, and so is a step.
   *
   * @param jobs those that come first are served first with their least number, and win ties
   * @param held what is taken already; what jobs are given is added to it
   * @return the workers of each job, 0 for those that are to wait
   */
  public static int[] of(List<? extends Candidate> jobs, Shares shares, Shares.Holding held) {
    Allocation<Candidate> allocation = new Allocation<>(shares, held);
    int[] workers = new int[jobs.size()];
    for (int i = 0; i < workers.length; i++) {
      workers[i] = allocation.add(jobs.get(i)) ? 1 : 0;
    }
    allocation.grow();
    int served = 0;
    for (int i = 0; i < workers.length; i++) {
      workers[i] = workers[i] == 0 ? 0 : allocation.workers(served++);
    }
    return workers;
  }

  /** Gives a job its least number of workers; false if they are not there. */
  public boolean add(C job) {
    int least = job.least();
    if (!held.leaves(job.demand(), least)) {
      return false;
    }
    held.add(job.demand(), least);
    workers = Grow.ensure(workers, jobs.size() + 1);
    workers[jobs.size()] = least;
    jobs.add(job);
    return true;
  }

  /** How many jobs were added. */
  public int size() {
    return jobs.size();
  }

  /** A job, in the order in which they were added. */
  public C job(int index) {
    return jobs.get(index);
  }

  /** The workers of that job. */
  public int workers(int index) {
    return workers[index];
  }

  /** Gives out the rest. */
  public void grow() {
    if (held.gpusLeft() <= 0) {
      return;
    }
    int size = jobs.size();
    int[] steppers = new int[size];
    nextWorkers = new int[size];
    seconds = new double[size];
    nextSeconds = new double[size];
    gains = new double[size];
    int count = 0;
    for (int i = 0; i < size; i++) {
      // Most jobs of many workloads are rigid.
      if (jobs.get(i).next(workers[i]) > workers[i]) {
        seconds[i] = jobs.get(i).seconds(workers[i]);
        look(i);
        if (gains[i] > 0) {
          steppers[count++] = i;
        }
      }
    }
    for (int at = count / 2 - 1; at >= 0; at--) {
      siftDown(steppers, count, at, steppers[at]);
    }
    while (count > 0 && held.gpusLeft() > 0) {
      int best = steppers[0];
      Demand demand = jobs.get(best).demand();
      int more = nextWorkers[best] - workers[best];
      boolean fits = held.leaves(demand, more);
      if (fits) {
        held.add(demand, more);
        workers[best] = nextWorkers[best];
        seconds[best] = nextSeconds[best];
        look(best);
      }
      int top = fits && gains[best] > 0 ? best : steppers[--count];
      if (count > 0) {
        siftDown(steppers, count, 0, top);
      }
    }
  }

  /** What a job's next step gains; 0 if there is none. */
  private void look(int index) {
    C job = jobs.get(index);
    int from = workers[index];
    int to = job.next(from);
    gains[index] = 0;
    if (to > from) {
      nextWorkers[index] = to;
      nextSeconds[index] = job.seconds(to);
      gains[index] =
          (seconds[index] - nextSeconds[index]) / ((to - from) * shares.ofWorker(job.demand()));
    }
  }

  /** The greatest gain is at the top, and of equals the job that was added first. */
  private void siftDown(int[] heap, int count, int from, int job) {
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= count) {
        break;
      }
      if (child + 1 < count && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], job)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = job;
  }

  private boolean before(int a, int b) {
    return gains[a] > gains[b] || (gains[a] == gains[b] && a < b);
  }
}
