package io.ringmaster.advise;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.simulator.Foretold;
import io.ringmaster.simulator.Lengths;
import io.ringmaster.workload.trace.SeenJob;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a site's scheduler expected of each job's length when the job came. That is not the length,
 * nor the length with some noise: limits are above all lengths of a kind, and what is foretold lies
 * in the middle of them. Who is let past whom rests on it, so it is kept beside the lengths that
 * are drawn.
 *
 * <p>A job with a time limit is expected to take as long, as Slurm does. Of others a forest says
 * what it would have said then, from the jobs that had ended: no later job changes it. The site's
 * own forest was another one, and a reservation that is a little off lets other jobs past. So two
 * are grown, and futures draw what they are told as far apart as the two are.
 */
final class Expectations {
  /** A scheduler that knows how long each job takes, as only a simulated one does. */
  static final Expectations TRUE = new Expectations(Map.of(), 0);

  /** More than the forest looks back at. */
  private static final int MOST_JOBS = 20_000;

  private final Map<String, Double> secondsById;
  private final double spread;

  private Expectations(Map<String, Double> secondsById, double spread) {
    this.secondsById = secondsById;
    this.spread = spread;
  }

  /** Of a history: what could be expected of each job when it came. */
  static Expectations of(List<SeenJob> jobs, Cluster cluster) {
    Map<String, Double> limits = new HashMap<>();
    jobs.stream()
        .filter(job -> Double.isFinite(job.limitSeconds()))
        .forEach(job -> limits.put(job.id(), job.limitSeconds()));
    if (limits.size() == jobs.size()) {
      return new Expectations(limits, 0);
    }
    Map<String, Double> one = foretold(jobs, cluster, 1);
    Map<String, Double> other = foretold(jobs, cluster, 2);
    double squares = 0;
    for (Map.Entry<String, Double> each : one.entrySet()) {
      double apart = Math.log(each.getValue() / other.getOrDefault(each.getKey(), Double.NaN));
      squares += apart * apart;
    }
    Map<String, Double> expected = new HashMap<>(one);
    expected.putAll(limits);
    return new Expectations(expected, Math.sqrt(squares / Math.max(1, one.size())));
  }

  private static Map<String, Double> foretold(List<SeenJob> all, Cluster cluster, long seed) {
    List<SeenJob> latest =
        all.stream()
            .sorted(Comparator.comparingDouble(SeenJob::submitSeconds))
            .skip(Math.max(0, all.size() - MOST_JOBS))
            .toList();
    double first = latest.isEmpty() ? 0 : latest.getFirst().submitSeconds();
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    double[] ends = new double[latest.size()];
    for (SeenJob job : latest) {
      // One that the cluster cannot hold is told apart by no more than that.
      int gpus = Math.min(job.gpus(), cluster.totalGpus());
      boolean isOver = job.state() == SeenJob.State.ENDED;
      ends[builder.size()] = isOver ? job.endSeconds() - first : Double.NaN;
      builder.add(
          job.id(),
          job.submitSeconds() - first,
          gpus,
          gpus,
          gpus,
          Math.max(1, job.lengthSeconds()),
          true,
          "",
          job.user(),
          job.group());
    }
    Jobs jobs = builder.build();
    double[] seconds = Foretold.seconds(jobs, Lengths.of(jobs, cluster), ends, seed, Runnable::run);
    Map<String, Double> foretold = new HashMap<>();
    for (int job = 0; job < seconds.length; job++) {
      foretold.put(jobs.id(job), seconds[job]);
    }
    return foretold;
  }

  /** NaN: as long as it takes. */
  double seconds(SeenJob job) {
    return secondsById.getOrDefault(job.id(), Double.NaN);
  }

  /** By how much it may be off, as the deviation of a logarithm; of limits 0. */
  double spread(SeenJob job) {
    return Double.isFinite(job.limitSeconds()) ? 0 : spread;
  }
}
