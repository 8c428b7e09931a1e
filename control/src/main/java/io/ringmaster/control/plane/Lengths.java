package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.policy.execution.IdealRuns;
import io.ringmaster.predictor.length.JobFacts;
import io.ringmaster.predictor.length.LengthPredictor;
import io.ringmaster.predictor.told.LengthErrors;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs are expected to run with the workers they ask for: what their submitter says, or
 * else what the {@link LengthPredictor} says that has seen all jobs succeed.
 *
 * <p>The predictor learns from a job when it ends, with what was known just before: then to take up
 * from the store is to be told the same again. Safe for several threads.
 */
final class Lengths {
  /** Expected when nothing at all is known. */
  private static final double UNKNOWN_SECONDS = 3600;

  /** Few, since a step of the plane waits while they grow. */
  private static final int TREES = 20;

  private static final int WINDOW = 1000;

  /** Before so many jobs that said their lengths have succeeded, these are not corrected. */
  private static final int TAKEN_AT_THEIR_WORD = 20;

  private static final long SEED = 1;

  private final LengthPredictor predictor =
      new LengthPredictor(new LengthPredictor.Settings(TREES, WINDOW, UNKNOWN_SECONDS, SEED));

  /** Predictions since the last job ended: thousands of jobs wait that are alike. */
  private final Map<JobFacts, Double> predicted = new HashMap<>();

  /** How wrong submitters were, and how wrong predictions. */
  private final LengthErrors said = new LengthErrors();

  private final LengthErrors foretold = new LengthErrors();

  private final Map<String, Recent> groups = new HashMap<>();
  private final Map<String, Recent> users = new HashMap<>();
  private final Recent everybody = new Recent();
  private double lastEndSeconds;

  /** The last lengths, for people. */
  private static final class Recent {
    private static final int MOST = 64;

    private final Deque<Double> last = new ArrayDeque<>();

    void add(double seconds) {
      last.addLast(seconds);
      if (last.size() > MOST) {
        last.removeFirst();
      }
    }

    String text(String whose) {
      String median = seconds(Median.of(last));
      return last.size() == 1
          ? "the one job %s that finished took %s".formatted(whose, median)
          : "the last %d jobs %s took %s in the middle".formatted(last.size(), whose, median);
    }
  }

  /**
   * @param finished jobs that succeeded, in the order of their ends
   */
  Lengths(List<Job> finished) {
    finished.forEach(this::finished);
  }

  /** A job succeeded. */
  synchronized void finished(Job job) {
    double seconds = (job.attainedGpuSeconds() - job.lost().gpuSeconds()) / job.spec().gpus();
    if (!(seconds >= 0) || Double.isNaN(job.endedSeconds())) {
      return;
    }
    lastEndSeconds = Math.max(lastEndSeconds, job.endedSeconds());
    LengthPredictor.Arrival arrival = predictor.arrive(facts(job), lastEndSeconds);
    if (!Double.isNaN(job.spec().durationSeconds())) {
      said.ended(job.spec().durationSeconds(), seconds);
    } else if (Double.isNaN(job.spec().iterations())) {
      foretold.ended(Math.max(1, arrival.length()), seconds);
    }
    predictor.end(arrival, seconds, lastEndSeconds);
    predicted.clear();
    everybody.add(seconds);
    users.computeIfAbsent(job.user(), _ -> new Recent()).add(seconds);
    if (!job.spec().group().isEmpty()) {
      groups.computeIfAbsent(job.spec().group(), _ -> new Recent()).add(seconds);
    }
  }

  private static JobFacts facts(Job job) {
    return new JobFacts(job.spec().group(), job.user(), job.spec().model(), job.spec().gpus());
  }

  /**
   * How wrong the lengths of such jobs were told so far; null if they are taken as they are: a
   * submitter's word until some have shown what it is worth, and iterations, which are corrected by
   * how fast a job is. A job that is cancelled or fails does not count.
   */
  @Nullable LengthErrors errors(Job job) {
    if (!Double.isNaN(job.spec().durationSeconds())) {
      return said.ended() < TAKEN_AT_THEIR_WORD ? null : said;
    }
    return Double.isNaN(job.spec().iterations()) ? foretold : null;
  }

  synchronized double seconds(Job job, ModelTable models, Cluster cluster) {
    JobSpec spec = job.spec();
    if (!Double.isNaN(spec.durationSeconds())) {
      return spec.durationSeconds();
    }
    ModelProfile profile = profile(spec, models);
    if (!Double.isNaN(spec.iterations()) && profile != null) {
      return spec.iterations() * iterationSeconds(spec, profile, cluster);
    }
    return Math.max(
        1,
        predicted.computeIfAbsent(
            facts(job), facts -> predictor.arrive(facts, lastEndSeconds).length()));
  }

  private static double iterationSeconds(JobSpec spec, ModelProfile profile, Cluster cluster) {
    Demand demand = HostedJob.demand(spec, profile, cluster);
    int most = cluster.mostWorkers(demand);
    // Of a job that no node has room for, people may ask as well.
    int gpus = Math.min(spec.gpus(), most > 0 ? most : cluster.totalGpus());
    return IdealRuns.iterationSeconds(
        cluster, IterationTime.of(cluster), profile, gpus, most > 0 ? demand : Demand.NONE);
  }

  /** Where the length of a job comes from, in words. */
  synchronized String why(Job job, ModelTable models, Cluster cluster) {
    JobSpec spec = job.spec();
    String length = "its length, %s, ".formatted(seconds(seconds(job, models, cluster)));
    if (!Double.isNaN(spec.durationSeconds())) {
      return length + "is what its submitter says";
    }
    if (!Double.isNaN(spec.iterations()) && !spec.model().isEmpty()) {
      return length
          + "is that of %s iterations of %s"
              .formatted(String.format(Locale.ROOT, "%.0f", spec.iterations()), spec.model());
    }
    Recent group = groups.get(spec.group());
    Recent user = users.get(job.user());
    if (group != null) {
      return length + "is predicted; " + group.text("of group " + spec.group());
    }
    if (user != null) {
      return length + "is predicted; " + user.text("of " + job.user());
    }
    return everybody.last.isEmpty()
        ? length + "is a guess: no job has succeeded yet"
        : length + "is predicted; " + everybody.text("of anybody");
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
  }

  static @Nullable ModelProfile profile(JobSpec spec, ModelTable models) {
    return spec.model().isEmpty() ? null : models.profile(models.indexOf(spec.model()));
  }
}
