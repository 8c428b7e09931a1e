package io.ringmaster.experiments.doubling;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.workload.Draws;
import java.util.List;

/**
 * One random workload of a {@link DoublingSetting}: jobs that all train the same model, and arrive
 * in a Poisson process. They have 160 epochs each; or, drawn, a log-normal number with sigma 1 and
 * a mean of 160. Settings differ in the scale of the same draws.
 */
final class DoublingWorkload {
  static final int EPOCHS = 160;
  static final int MOST_WORKERS = 8;

  private final ModelProfile profile;
  private final double[] arrivalSeconds;
  private final double[] epochs;

  DoublingWorkload(long seed, DoublingSetting setting) {
    int n = setting.contention().jobs();
    this.profile = EpochTimes.fitted(setting.allReduce()).profile();
    this.arrivalSeconds = new double[n];
    this.epochs = new double[n];
    Draws arrivals = new Draws(seed, 0);
    Draws lengths = new Draws(seed, 1);
    double now = 0;
    for (int i = 0; i < n; i++) {
      now -= setting.contention().gapSeconds() * StrictMath.log(1 - arrivals.uniform());
      arrivalSeconds[i] = now;
      // The mean of exp(z) is exp(1/2) for a standard normal z.
      epochs[i] = EPOCHS * (setting.logNormal() ? StrictMath.exp(lengths.normal() - 0.5) : 1);
    }
  }

  double[] arrivalSeconds() {
    return arrivalSeconds.clone();
  }

  double[] epochs() {
    return epochs.clone();
  }

  /** Jobs that take any number of workers up to the most; those that do not care ask for one. */
  Jobs elastic() {
    return jobs(1, MOST_WORKERS);
  }

  /** The same jobs with so many workers and no other number. */
  Jobs rigid(int workers) {
    return jobs(workers, workers);
  }

  private Jobs jobs(int asked, int most) {
    JobsBuilder out = Jobs.builder(ModelTable.standard().with(List.of(profile)));
    for (int i = 0; i < epochs.length; i++) {
      out.add(
          "j" + (i + 1),
          arrivalSeconds[i],
          asked,
          asked,
          most,
          epochs[i] * EpochTimes.BATCHES / asked,
          false,
          profile.id(),
          "",
          "");
    }
    return out.build();
  }
}
