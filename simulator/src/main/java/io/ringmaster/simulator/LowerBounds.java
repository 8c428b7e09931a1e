package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.collect.LazyHeap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What no schedule can beat, preemption, elasticity and foresight included.
 *
 * <p>For each job let p be its run time at the greatest speed that any placement within its range
 * can give it, and a the least GPU-seconds that any number of workers needs for it. A schedule does
 * at most 1/p of a job a second, and with G GPUs all jobs together at most G GPU-seconds a second.
 * Everything else (servers, gangs, contention, restarts) is relaxed.
 *
 * <ul>
 *   <li>Makespan: no job ends before submission + p; all work submitted at or after r cannot end
 *       before r + (sum of its a) / G.
 *   <li>Total completion time, the greatest of three. (1) The sum of submission + p. (2) One
 *       machine that does G GPU-seconds a second, where shortest remaining time first is optimal
 *       (Schrage 1968). (3) Mean busy times: the mean of the moments at which a job's work is done
 *       is at most its completion minus p / 2, and the sum of those means is least if the machine
 *       always works on the job with the smallest a (Goemans et al., SIAM J. Discrete Math. 15(2),
 *       2002).
 * </ul>
 *
 * @param areaSeconds no makespan is below this: the GPUs must do all work
 * @param longestJobSeconds no makespan is below this: each job takes its time
 * @param aloneJctSeconds no mean JCT is below this: (1)
 * @param oneMachineJctSeconds no mean JCT is below this: (2)
 * @param busyTimesJctSeconds no mean JCT is below this: (3)
 */
public record LowerBounds(
    double areaSeconds,
    double longestJobSeconds,
    double aloneJctSeconds,
    double oneMachineJctSeconds,
    double busyTimesJctSeconds) {

  /** No mean JCT is below this. */
  public double meanJctSeconds() {
    return Math.max(aloneJctSeconds, Math.max(oneMachineJctSeconds, busyTimesJctSeconds));
  }

  /** No makespan is below this. */
  public double makespanSeconds() {
    return Math.max(areaSeconds, longestJobSeconds);
  }

  public static LowerBounds of(Jobs jobs, Cluster cluster) {
    return of(jobs, cluster, Lengths.of(jobs, cluster));
  }

  public static LowerBounds of(Jobs jobs, Cluster cluster, Lengths lengths) {
    int n = jobs.size();
    double[] fastest = new double[n];
    double[] machine = new double[n];
    Map<Long, double[][]> byRange = new HashMap<>();
    IterationTime time = IterationTime.of(cluster);
    long range = 0;
    double[][] byModel = {};
    for (int job = 0; job < n; job++) {
      long own = (long) jobs.minGpus(job) << 32 | jobs.maxGpus(job);
      if (own != range) {
        range = own;
        // Not computeIfAbsent: for each job, making its lambda costs more than looking.
        double[][] known = byRange.get(range);
        byModel = known == null ? new double[jobs.profiles().size() + 1][0] : known;
        if (known == null) {
          byRange.put(range, byModel);
        }
      }
      int slot = jobs.model(job) + 1;
      JobKinds kinds = lengths.kinds();
      if (byModel[slot].length == 0 && kinds == null) {
        byModel[slot] = bestTimes(jobs, job, cluster, time);
      }
      double[] factors = kinds == null ? byModel[slot] : bestTimes(jobs, job, cluster, time, kinds);
      double miniBatches =
          lengths.idealSeconds(job) / lengths.iterationSeconds(job) * jobs.gpus(job);
      fastest[job] = miniBatches * factors[0];
      machine[job] = miniBatches * factors[1] / cluster.totalGpus();
    }
    return of(jobs, fastest, machine);
  }

  /** The same on the fastest kind of GPU that the job may use. */
  private static double[] bestTimes(
      Jobs jobs, int job, Cluster cluster, IterationTime time, JobKinds kinds) {
    double[] best = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    for (JobKinds.On on : kinds.options(job)) {
      double[] here = bestTimes(jobs, job, cluster, time, on.profile());
      for (int i = 0; i < best.length; i++) {
        best[i] = Math.min(best[i], on.silent() ? here[i] / on.speed() : here[i]);
      }
    }
    return best;
  }

  private static double[] bestTimes(Jobs jobs, int job, Cluster cluster, IterationTime time) {
    return bestTimes(jobs, job, cluster, time, jobs.profile(job));
  }

  /** Least seconds and least GPU-seconds of one mini-batch over all numbers of workers. */
  private static double[] bestTimes(
      Jobs jobs, int job, Cluster cluster, IterationTime time, @Nullable ModelProfile profile) {
    double seconds = Double.POSITIVE_INFINITY;
    double gpuSeconds = Double.POSITIVE_INFINITY;
    int most = Math.min(jobs.maxGpus(job), cluster.totalGpus());
    for (int w = jobs.minGpus(job); w <= most; w++) {
      double tau = time.fastestSeconds(profile, w);
      seconds = Math.min(seconds, tau / w);
      gpuSeconds = Math.min(gpuSeconds, tau);
    }
    return new double[] {seconds, gpuSeconds};
  }

  /**
   * The bounds for other measures of jobs.
   *
   * @param fastest seconds that each job takes at least
   * @param machine seconds that each job takes on one machine onto which every schedule can be
   *     copied; may be 0
   */
  public static LowerBounds of(Jobs jobs, double[] fastest, double[] machine) {
    int n = jobs.size();
    double area = 0;
    double longest = 0;
    double workAfter = 0;
    for (int job = n - 1; job >= 0; job--) {
      workAfter += machine[job];
      area = Math.max(area, jobs.submitSeconds(job) + workAfter);
      longest = Math.max(longest, jobs.submitSeconds(job) + fastest[job]);
    }
    double alone = 0;
    for (double p : fastest) {
      alone += p;
    }
    double first = jobs.submitSeconds(0);
    return new LowerBounds(
        area - first,
        longest - first,
        alone / n,
        shortestRemaining(jobs, machine) / n,
        (meanBusyTimes(jobs, machine) + alone / 2) / n);
  }

  /**
   * Total flow time of the one machine under shortest remaining time first. What runs is beside the
   * heap: it is changed at every arrival, and stays the first.
   */
  private static double shortestRemaining(Jobs jobs, double[] machine) {
    LazyHeap waiting = new LazyHeap();
    int running = -1;
    double left = 0;
    double now = 0;
    double total = 0;
    int next = 0;
    while (next < jobs.size() || running >= 0) {
      double arrival = next < jobs.size() ? jobs.submitSeconds(next) : Double.POSITIVE_INFINITY;
      if (running < 0) {
        now = Math.max(now, arrival);
      } else if (now + left <= arrival) {
        now += left;
        total += now - jobs.submitSeconds(running);
        left = waiting.isEmpty() ? 0 : waiting.peekKey();
        running = waiting.isEmpty() ? -1 : waiting.poll();
        continue;
      } else {
        left -= arrival - now;
        now = arrival;
      }
      if (running >= 0 && left <= machine[next]) {
        waiting.put(next, machine[next]);
      } else {
        if (running >= 0) {
          waiting.put(running, left);
        }
        running = next;
        left = machine[next];
      }
      next++;
    }
    return total;
  }

  /** Sum over jobs of mean busy time minus submission, smallest job first with preemption. */
  private static double meanBusyTimes(Jobs jobs, double[] machine) {
    LazyHeap bySize = new LazyHeap();
    double[] left = machine.clone();
    double now = 0;
    double total = 0;
    int next = 0;
    while (next < jobs.size() || !bySize.isEmpty()) {
      double arrival = next < jobs.size() ? jobs.submitSeconds(next) : Double.POSITIVE_INFINITY;
      if (bySize.isEmpty()) {
        now = Math.max(now, arrival);
      } else {
        int job = bySize.peek();
        double until = Math.min(arrival, now + left[job]);
        double worked = until - now;
        if (worked > 0) {
          total += worked / machine[job] * ((now + until) / 2 - jobs.submitSeconds(job));
        }
        left[job] -= worked;
        now = until;
        if (until < arrival) {
          bySize.poll();
          continue;
        }
      }
      bySize.put(next, machine[next]);
      next++;
    }
    return total;
  }
}
