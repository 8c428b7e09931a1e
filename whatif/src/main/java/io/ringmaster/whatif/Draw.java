package io.ringmaster.whatif;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.simulator.Lengths;
import io.ringmaster.workload.Draws;
import java.util.Arrays;

/**
 * One guess at what a history does not tell: next month's jobs will not come at this month's
 * moments. Each user's jobs come sooner or later by up to an hour, but in the first draw, and so
 * does what is known of their ends.
 *
 * <p>Work is counted in iterations, as the site's own servers and network do them: else a job that
 * took an hour would take an hour on any network.
 */
final class Draw {
  private static final double SHIFT_SECONDS = 3600;
  private static final int SHIFTS = 7;

  private Draw() {}

  /** The jobs of a history by one guess. */
  static Jobs of(History history, int number, long seed) {
    Jobs jobs = history.jobs();
    double[] shifts = shifts(jobs, number, seed);
    JobsBuilder drawn = Jobs.builder(jobs.models());
    for (int job = 0; job < jobs.size(); job++) {
      double submit = Math.max(0, jobs.submitSeconds(job) + shifts[jobs.user(job) + 1]);
      drawn.addLike(jobs, job, jobs.id(job), submit, modelName(jobs, job));
      if (history.jobs().isHistory()) {
        double shift = submit - jobs.submitSeconds(job);
        drawn.happened(jobs.startedSeconds(job) + shift, jobs.endedSeconds(job) + shift);
      }
    }
    Jobs shifted = drawn.build();
    Lengths lengths = Lengths.of(shifted, history.cluster());
    double[] iterations = new double[shifted.size()];
    Arrays.setAll(iterations, job -> lengths.idealSeconds(job) / lengths.iterationSeconds(job));
    return shifted.iterating(iterations);
  }

  /** By user; place 0 is for jobs without one. */
  private static double[] shifts(Jobs jobs, int number, long seed) {
    double[] shifts = new double[jobs.userNames().size() + 1];
    Draws chance = new Draws(seed + number, SHIFTS);
    for (int user = 0; number > 0 && user < shifts.length; user++) {
      shifts[user] = SHIFT_SECONDS * (2 * chance.uniform() - 1);
    }
    return shifts;
  }

  /** What a job trains; empty if nobody says. */
  static String modelName(Jobs jobs, int job) {
    return jobs.model(job) < 0 ? "" : jobs.profiles().get(jobs.model(job)).id();
  }
}
