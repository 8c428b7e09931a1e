package io.ringmaster.policy.asrpt;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.policy.View;
import io.ringmaster.policy.ordered.Cost;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the literal mode can prove of a run. Times are counted from the workload's zero.
 *
 * <p>Let OPT be the least sum of completion times, rho the greatest ratio of a job's slowest to its
 * fastest iteration, G the GPUs, g the most that a job has.
 *
 * <ol>
 *   <li>Every schedule can be copied onto the virtual machine, so the virtual completions sum to no
 *       more than OPT; neither do submissions plus lengths at the fastest iteration.
 *   <li>The jobs before job i in the queue have no more virtual work than i's virtual completion,
 *       V; in truth at most rho G V GPU-seconds. While i waits, over G - g GPUs are busy with them.
 *       So it starts by V (1 + rho G / (G - g + 1)).
 *   <li>Summed up, the completions are at most (1 + rho + rho G / (G - g + 1)) OPT.
 * </ol>
 *
 * <p>Lengths that are wrong by a factor of up to delta cost a factor: delta + rho + delta^2 rho G /
 * (G - g + 1). A job that may wait for a better placement must start by its virtual completion plus
 * tau times its length. Let W be the greatest of these waits of i and of those before it. By V + W
 * none of them waits any more; a job behind i that runs then has passed one of them, and so has
 * ended by then, if passing is safe. So W is added to i's start, and the sum of all W to the sum of
 * completions. This last part needs lengths to be right, and safe passing. All of it needs a
 * network on which no neighbour slows a job down, and a cluster where GPUs alone decide what fits.
 */
final class Guarantee {
  private final int totalGpus;
  private final LiteralAsrpt.Delay delay;

  /** Whether no job is ever slower than with every worker on a server of its own. */
  private final boolean bounded;

  private final boolean limitsMore;
  private double[] estimates = new double[16];
  private double rho = 1;
  private int mostGpus = 1;
  private double delta = 1;
  private double virtualSum;
  private double aloneSum;
  private double completionSum;
  private double longestWait;
  private double waitSum;

  Guarantee(Cluster cluster, LiteralAsrpt.Delay delay) {
    this.totalGpus = cluster.totalGpus();
    this.delay = delay;
    this.limitsMore = cluster.limitsMoreThanGpus();
    this.bounded =
        !IterationTime.of(cluster).neighboursMatter() && cluster.network().slotSeconds() == 0;
  }

  void arrived(int job, int gpus, Cost cost, double estimateSeconds) {
    estimates = Grow.ensure(estimates, job + 1);
    estimates[job] = estimateSeconds;
    rho = Math.max(rho, cost.farSeconds() / cost.leastSeconds());
    mostGpus = Math.max(mostGpus, gpus);
  }

  /**
   * A job joins the queue.
   *
   * @param delayableSeconds its length if it may wait for a better placement, else 0
   */
  void finishedVirtually(double seconds, double delayableSeconds) {
    virtualSum += seconds;
    longestWait = Math.max(longestWait, delay.tau() * delayableSeconds);
    waitSum += longestWait;
  }

  void ended(View view, int job, Cost cost) {
    double length = view.doneSeconds(job);
    completionSum += view.nowSeconds();
    aloneSum += view.submitSeconds(job) + length * cost.leastSeconds() / cost.nearSeconds();
    delta = Math.max(delta, Math.max(estimates[job] / length, length / estimates[job]));
  }

  Map<String, Object> notes() {
    boolean exact = delta < 1 + 1e-9;
    double behind = rho * totalGpus / (totalGpus - mostGpus + 1);
    double lowerBound = exact ? Math.max(virtualSum, aloneSum) : aloneSum;
    Map<String, Object> notes = new LinkedHashMap<>();
    notes.put("rho", rho);
    if (!exact) {
      notes.put("delta", delta);
    }
    if (!bounded) {
      notes.put("guarantee", "none: jobs slow each other down, or slots do");
    } else if (limitsMore) {
      notes.put("guarantee", "none: more than GPUs is limited");
    } else if (waitSum == 0) {
      notes.put("guarantee", delta + rho + delta * delta * behind);
    } else if (exact && delay.safe()) {
      notes.put("guarantee", 1 + rho + behind + waitSum / lowerBound);
    } else {
      notes.put("guarantee", "none: " + (exact ? "bypass=free" : "lengths are not exact"));
    }
    notes.put("measured_ratio", completionSum / lowerBound);
    return notes;
  }
}
