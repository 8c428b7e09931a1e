package io.ringmaster.predictor.length;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Jobs that recur, as most do: a group's runs are alike, and larger ones are longer. */
final class Recurring {
  private static final int GROUPS = 40;

  private Recurring() {}

  /** So many jobs in order of submission, ten minutes apart on average. */
  static List<PastJob> jobs(RandomGenerator random, int count) {
    List<PastJob> jobs = new ArrayList<>();
    double submit = 0;
    double[] typical = random.doubles(GROUPS).map(u -> 60 * Math.exp(5 * u)).toArray();
    for (int i = 0; i < count; i++) {
      submit += -600 * Math.log(1 - random.nextDouble());
      int group = (int) (GROUPS * Math.pow(random.nextDouble(), 2));
      int gpus = 1 << random.nextInt(4);
      double length = typical[group] * gpus * Math.exp(0.2 * random.nextGaussian());
      jobs.add(
          new PastJob(
              new JobFacts("g" + group, "u" + group % 5, "", gpus),
              submit,
              length,
              submit + length * (1 + random.nextDouble())));
    }
    return jobs;
  }
}
