package io.ringmaster.report;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.WaitReason;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;

/**
 * The worst-served jobs of a run, and what each waited for.
 *
 * <p>Worst served is who has the largest bounded stretch: the time from submission to end, over the
 * time that the job takes alone on the fewest servers, or ten minutes if that is longer. Without
 * the bound, jobs of seconds would always be the worst (bounded slowdown: Feitelson, Rudolph,
 * Schwiegelshohn, Sevcik, Wong, JSSPP 1997). At the same stretch it is who waited longer, then who
 * came first. Only jobs that waited and have finished count.
 *
 * <p>A job waits while it is submitted, has not finished and holds no GPU: before its first start
 * and between segments. The reasons follow from the schedule alone. At each moment it needs the
 * GPUs it was given or, in a run in which jobs changed their number of GPUs, the least it can do
 * with. {@link WaitReason} has the reasons, and the first that holds is the reason.
 *
 * <p>Behind whom a job waits that would fit is told by who, of those waiting at that moment, gets
 * GPUs next. Of several that get them at the same moment, it is the first for whom there is no room
 * yet: what is free is kept for that one. If there is room for all of them it is the first, unless
 * the job itself is one of them: then it is nobody. The policy held the job back without another
 * being seen to profit, such as for the end of a slot or for a gate.
 *
 * <p>What is not known is the policy's mind. Two reasons can hold at once, and only one is told.
 */
public final class Waits {
  /** How many jobs are told of. */
  static final int JOBS = 25;

  /** A shorter job's stretch is that of a job of this length. */
  static final double SHORTEST_SECONDS = 600;

  /** How many jobs that one waited behind are named. */
  static final int NAMED = 5;

  private Waits() {}

  /** The worst-served jobs, the worst first: the type WorstServed in web/src/data.ts. */
  public static List<WorstServed> of(
      Cluster cluster, Jobs jobs, RunResult result, Segments segments, PlacementRule rule) {
    OrderedSegments course = new OrderedSegments(jobs, segments);
    double[] stretch = stretches(jobs, result);
    WaitSweep sweep = new WaitSweep(cluster, jobs, course, rule);
    List<JobWait> worst = worst(jobs, stretch, course).stream().map(sweep::waiter).toList();
    sweep.run(worst);
    return worst.stream().map(w -> row(jobs, result, w, stretch[w.job])).toList();
  }

  /** Bounded, for each job; NaN if it did not finish. */
  private static double[] stretches(Jobs jobs, RunResult result) {
    double[] stretch = new double[jobs.size()];
    for (int job = 0; job < stretch.length; job++) {
      stretch[job] =
          (result.finishSeconds(job) - jobs.submitSeconds(job))
              / Math.max(SHORTEST_SECONDS, result.lengths().idealSeconds(job));
    }
    return stretch;
  }

  /** How long a job waited; exactly 0 for one that never did. */
  private static double waited(Jobs jobs, OrderedSegments ordered, int job) {
    double waited = 0;
    double since = jobs.submitSeconds(job);
    for (int s = ordered.first(job); s != OrderedSegments.NONE; s = ordered.next(s)) {
      waited += ordered.start(s) - since;
      since = ordered.end(s);
    }
    return waited;
  }

  private record Candidate(int job, double stretch, double waited) {}

  private static List<Integer> worst(Jobs jobs, double[] stretch, OrderedSegments ordered) {
    Comparator<Candidate> worstFirst =
        Comparator.comparingDouble((Candidate c) -> -c.stretch())
            .thenComparingDouble(c -> -c.waited())
            .thenComparingInt(Candidate::job);
    PriorityQueue<Candidate> kept = new PriorityQueue<>(worstFirst.reversed());
    double least = 0;
    for (int job = 0; job < stretch.length; job++) {
      // Also false for NaN.
      if (stretch[job] >= least) {
        double waited = waited(jobs, ordered, job);
        if (waited > 0) {
          kept.add(new Candidate(job, stretch[job], waited));
          if (kept.size() > JOBS) {
            kept.remove();
          }
          least = kept.size() < JOBS ? 0 : Objects.requireNonNull(kept.peek()).stretch();
        }
      }
    }
    return kept.stream().sorted(worstFirst).map(Candidate::job).toList();
  }

  private static WorstServed row(Jobs jobs, RunResult result, JobWait waiter, double stretch) {
    int job = waiter.job;
    return new WorstServed(
        jobs.id(job),
        jobs.user(job) < 0 ? "" : jobs.userNames().get(jobs.user(job)),
        jobs.gpus(job),
        jobs.submitSeconds(job),
        result.startSeconds(job),
        result.finishSeconds(job),
        waiter.waitSeconds(),
        stretch,
        result.restarts(job),
        Arrays.stream(WaitReason.values())
            .filter(reason -> waiter.seconds(reason) > 0)
            .map(reason -> new WorstServed.Reason(reason.label(), waiter.seconds(reason)))
            .toList(),
        waiter.behind().stream()
            .limit(NAMED)
            .map(other ->
                new WorstServed.Behind(
                    jobs.id(other), jobs.gpus(other), waiter.secondsBehind(other)))
            .toList(),
        waiter.behind().size(),
        waiter.secondsBehind(JobWait.NOBODY),
        waiter.overtaken());
  }
}
