package io.ringmaster.report;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison keeps of one run, so that the run itself may go.
 *
 * @param jctSeconds by job; null if they are too many to keep
 * @param jctQuantiles at the shares of {@link Quantiles}
 * @param waitQuantiles at the shares of {@link Quantiles}
 * @param pictures the cluster up to 1, 2, 4, ... times the least makespan, since how long the
 *     others take is not known yet; empty if it is not drawn
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record ComparedRun(
    double @Nullable [] jctSeconds,
    double[] jctQuantiles,
    double[] waitQuantiles,
    double makespanSeconds,
    List<Grid.Cells> pictures) {

  /** Above so many jobs of all runs together, they are not kept. */
  public static final long MOST_JOBS_KEPT = 50_000_000;

  /** The pictures reach to 2 to the power of this, less one, times the least makespan. */
  private static final int HORIZONS = 7;

  private static final int ROWS = 32;
  private static final int BINS = 192;

  /**
   * Keeps what is needed.
   *
   * @param leastMakespan what no schedule can beat; all runs must have the same
   * @param keepJobs whether pairs of policies are to be compared job by job
   * @param draw whether the cluster is to be drawn
   */
  public static ComparedRun of(
      Cluster cluster,
      Jobs jobs,
      RunResult result,
      Segments segments,
      double leastMakespan,
      boolean keepJobs,
      boolean draw) {
    JobOutcomes outcomes = new JobOutcomes(jobs, result);
    int n = jobs.size();
    double[] jct = IntStream.range(0, n).mapToDouble(outcomes::jct).toArray();
    double[] wait = IntStream.range(0, n).mapToDouble(outcomes::wait).toArray();
    double end = IntStream.range(0, n).mapToDouble(result::finishSeconds).max().orElse(0);
    return new ComparedRun(
        keepJobs ? jct : null,
        Quantiles.values(jct),
        Quantiles.values(wait),
        end - jobs.submitSeconds(0),
        draw ? pictures(cluster, jobs, outcomes, segments, leastMakespan) : List.of());
  }

  private static List<Grid.Cells> pictures(
      Cluster cluster, Jobs jobs, JobOutcomes outcomes, Segments segments, double leastMakespan) {
    SizeClasses sizes = new SizeClasses(jobs);
    Users users = new Users(jobs, 0, outcomes::gpuSeconds);
    double start = jobs.submitSeconds(0);
    List<Grid.Cells> pictures = new ArrayList<>();
    for (int power = 0; power < HORIZONS; power++) {
      double end = start + leastMakespan * (1 << power);
      Grid.Cells all =
          new Grid(cluster, jobs, segments, sizes, users, start, end, ROWS, BINS).cells();
      // Small pictures are coloured by size alone.
      pictures.add(
          new Grid.Cells(
              all.start(),
              all.binSeconds(),
              all.bins(),
              all.rows(),
              all.gpus(),
              all.busy(),
              all.size(),
              "",
              ""));
    }
    return pictures;
  }
}
