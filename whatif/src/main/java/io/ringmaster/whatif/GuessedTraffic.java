package io.ringmaster.whatif;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.simulator.Lengths;
import io.ringmaster.workload.ModelMix;

/**
 * How much faster jobs are on another network of which nobody says what they train: models are
 * drawn, and a job alone in its ideal place takes as much less as its model would. What jobs cost
 * each other on shared links is left out, so the gain of a faster network is rather more than this.
 */
final class GuessedTraffic {
  private GuessedTraffic() {}

  static Jobs onto(Cluster other, Scenario before, long seed) {
    Jobs jobs = before.jobs();
    Jobs guessed = guessed(jobs, seed);
    Lengths old = Lengths.of(guessed, before.cluster());
    Lengths changed = Lengths.of(guessed, other);
    double[] work = new double[jobs.size()];
    for (int job = 0; job < work.length; job++) {
      double faster =
          jobs.model(job) >= 0 ? 1 : changed.iterationSeconds(job) / old.iterationSeconds(job);
      work[job] = jobs.work(job) * faster;
    }
    return jobs.iterating(work);
  }

  private static Jobs guessed(Jobs jobs, long seed) {
    JobsBuilder guessed = Jobs.builder(jobs.models());
    for (int job = 0; job < jobs.size(); job++) {
      String told = Draw.modelName(jobs, job);
      String model = told.isEmpty() ? ModelMix.drawn(jobs, job, seed) : told;
      guessed.addLike(jobs, job, jobs.id(job), jobs.submitSeconds(job), model);
    }
    return guessed.build();
  }
}
