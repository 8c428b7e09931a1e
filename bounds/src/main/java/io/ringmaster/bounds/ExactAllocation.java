package io.ringmaster.bounds;

import io.ringmaster.policy.slots.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The integer program that the doubling heuristic (Capes, Raheja, Kemertas, Mohomed, arXiv
 * 1908.08082) and Optimus solve greedily, solved exactly: numbers of workers such that the jobs'
 * remaining times add up to the least, with no more workers than GPUs.
 *
 * <pre>
 *   min sum_j t_j(w_j)   with   sum_j w_j &lt;= C,   w_j one of the sizes of j
 * </pre>
 *
 * <p>A job's sizes are those that the greedy rule can reach: its least, the next, and so on. So
 * jobs that grow by one may have any number in their range, and jobs that double have powers of
 * two. More than GPUs is not counted.
 *
 * <p>Found by going through jobs and GPUs (a knapsack with one choice from each class; Kellerer,
 * Pferschy, Pisinger, "Knapsack Problems", 2004, chapter 11), in jobs x GPUs x sizes steps. It
 * needs nothing of the times but that they are finite: they may rise and fall. Of plans that are
 * equally good it takes the one with the fewest workers for the first job, then for the second, ...
 *
 * <p>Every job has at least its least number. If all of these do not fit, those run that the greedy
 * rule begins with: each in turn whose least number fits beside those before it. The others wait,
 * and their times do not count, for either.
 */
public final class ExactAllocation {
  private ExactAllocation() {}

  /**
   * The workers of each job in the best plan, 0 for those that are to wait.
   *
   * @param jobs those that come first are served first with their least number
   */
  public static int[] of(List<? extends Allocation.Candidate> jobs, int gpus) {
    List<Choice> choices = choices(jobs, gpus);
    double[] best = new double[gpus + 1];
    for (int i = choices.size() - 1; i >= 0; i--) {
      best = choices.get(i).before(best);
    }
    int[] workers = new int[jobs.size()];
    int left = gpus;
    for (Choice choice : choices) {
      workers[choice.job] = choice.taken[left];
      left -= choice.taken[left];
    }
    return workers;
  }

  /** The times of the jobs that do not wait, added up. */
  public static double totalSeconds(List<? extends Allocation.Candidate> jobs, int[] workers) {
    double total = 0;
    for (int i = 0; i < workers.length; i++) {
      total += workers[i] == 0 ? 0 : jobs.get(i).seconds(workers[i]);
    }
    return total;
  }

  private static List<Choice> choices(List<? extends Allocation.Candidate> jobs, int gpus) {
    List<Choice> choices = new ArrayList<>();
    int left = gpus;
    for (int i = 0; i < jobs.size(); i++) {
      if (jobs.get(i).least() <= left) {
        choices.add(new Choice(i, jobs.get(i), gpus));
        left -= jobs.get(i).least();
      }
    }
    return choices;
  }

  /** What a job may have, and what it takes of so many GPUs that it and those after it have. */
  private static final class Choice {
    final int job;
    final int[] taken;
    private final int[] sizes;
    private final double[] seconds;

    Choice(int job, Allocation.Candidate candidate, int gpus) {
      this.job = job;
      this.taken = new int[gpus + 1];
      List<Integer> reached = new ArrayList<>();
      int size = candidate.least();
      while (size <= gpus && (reached.isEmpty() || size > reached.getLast())) {
        reached.add(size);
        size = candidate.next(size);
      }
      this.sizes = reached.stream().mapToInt(Integer::intValue).toArray();
      this.seconds = Arrays.stream(sizes).mapToDouble(candidate::seconds).toArray();
      for (int i = 0; i < sizes.length; i++) {
        if (!Double.isFinite(seconds[i])) {
          throw new IllegalArgumentException(
              "job %d takes %s s with %d workers; times must be finite"
                  .formatted(job, seconds[i], sizes[i]));
        }
      }
    }

    /**
     * The least sums of times by GPUs, this job included; infinite where there are too few GPUs.
     *
     * @param after those of the jobs after it
     */
    double[] before(double[] after) {
      double[] best = new double[after.length];
      Arrays.fill(best, Double.POSITIVE_INFINITY);
      for (int i = 0; i < sizes.length; i++) {
        for (int gpus = sizes[i]; gpus < best.length; gpus++) {
          double total = seconds[i] + after[gpus - sizes[i]];
          if (total < best[gpus]) {
            best[gpus] = total;
            taken[gpus] = sizes[i];
          }
        }
      }
      return best;
    }
  }
}
