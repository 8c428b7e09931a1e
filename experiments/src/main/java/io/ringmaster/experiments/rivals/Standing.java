package io.ringmaster.experiments.rivals;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * What a run comes to.
 *
 * @param meanSeconds from submission to the end
 * @param largestSeconds the same of the tenth of the jobs that have the most work: they pay for it
 *     that short ones go first
 * @param stopsMean how often a job was stopped or moved
 * @param stopsMost that of the job that was so most often
 */
public record Standing(
    double meanSeconds,
    double p99Seconds,
    double largestSeconds,
    double stopsMean,
    double stopsMost) {
  private static final int LARGEST_SHARE = 10;
  private static final double HIGH = 0.99;

  static Standing of(Jobs jobs, RunResult run) {
    int count = jobs.size();
    double[] completion = new double[count];
    double stops = 0;
    int most = 0;
    for (int job = 0; job < count; job++) {
      completion[job] = run.finishSeconds(job) - jobs.submitSeconds(job);
      stops += run.restarts(job);
      most = Math.max(most, run.restarts(job));
    }
    Comparator<Integer> byWork =
        Comparator.comparingDouble(job -> run.lengths().idealSeconds(job) * jobs.gpus(job));
    double largest =
        IntStream.range(0, count)
            .boxed()
            .sorted(byWork.reversed())
            .limit(Math.max(1, count / LARGEST_SHARE))
            .mapToDouble(job -> completion[job])
            .average()
            .orElseThrow();
    double mean = Arrays.stream(completion).average().orElseThrow();
    Arrays.sort(completion);
    return new Standing(mean, completion[(int) (HIGH * count)], largest, stops / count, most);
  }

  /** As plain numbers, in the order of the components. */
  public double[] figures() {
    return new double[] {meanSeconds, p99Seconds, largestSeconds, stopsMean, stopsMost};
  }

  public static Standing of(double[] figures) {
    return new Standing(figures[0], figures[1], figures[2], figures[3], figures[4]);
  }
}
