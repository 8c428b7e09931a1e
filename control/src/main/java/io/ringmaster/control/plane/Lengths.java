package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.store.Loaded;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs are expected to run with the workers they ask for: what their submitter says, or
 * else the mean of what their group, their user or anybody finished so far.
 */
final class Lengths {
  /** Expected when nothing at all is known. */
  private static final double UNKNOWN_SECONDS = 3600;

  private final Map<String, Mean> groups = new HashMap<>();
  private final Map<String, Mean> users = new HashMap<>();
  private final Mean everybody = new Mean();

  private static final class Mean {
    double sum;
    long count;

    void add(double seconds, long jobs) {
      sum += seconds;
      count += jobs;
    }
  }

  Lengths(List<Loaded.Finished> finished) {
    finished.forEach(f -> add(f.user(), f.group(), f.sumSeconds(), f.count()));
  }

  /** A job succeeded. */
  void finished(Job job) {
    add(job.user(), job.spec().group(), job.attainedGpuSeconds() / job.spec().gpus(), 1);
  }

  private void add(String user, String group, double seconds, long count) {
    everybody.add(seconds, count);
    users.computeIfAbsent(user, _ -> new Mean()).add(seconds, count);
    if (!group.isEmpty()) {
      groups.computeIfAbsent(group, _ -> new Mean()).add(seconds, count);
    }
  }

  double seconds(Job job, ModelTable models, Cluster cluster) {
    JobSpec spec = job.spec();
    if (!Double.isNaN(spec.durationSeconds())) {
      return spec.durationSeconds();
    }
    ModelProfile profile = profile(spec, models);
    if (!Double.isNaN(spec.iterations()) && profile != null) {
      return spec.iterations()
          * IterationTime.of(cluster)
              .seconds(
                  profile, cluster.idealPlacement(Math.min(spec.gpus(), cluster.totalGpus())), 1);
    }
    Mean mean = groups.get(spec.group());
    if (mean == null) {
      mean = users.get(job.user());
    }
    if (mean == null) {
      mean = everybody;
    }
    return mean.count == 0 ? UNKNOWN_SECONDS : Math.max(1, mean.sum / mean.count);
  }

  static @Nullable ModelProfile profile(JobSpec spec, ModelTable models) {
    return spec.model().isEmpty() ? null : models.profile(models.indexOf(spec.model()));
  }
}
