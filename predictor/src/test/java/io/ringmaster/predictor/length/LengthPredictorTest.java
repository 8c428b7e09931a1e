package io.ringmaster.predictor.length;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.predictor.length.LengthPredictor.Arrival;
import io.ringmaster.predictor.length.LengthPredictor.Settings;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class LengthPredictorTest {
  private static final Settings FEW_TREES = new Settings(8, 300, 3600, 1);

  private static Arrival[] replay(LengthPredictor predictor, List<PastJob> jobs) {
    Arrival[] arrivals = new Arrival[jobs.size()];
    Replay.run(
        jobs,
        job ->
            arrivals[job] = predictor.arrive(jobs.get(job).facts(), jobs.get(job).submitSeconds()),
        job -> predictor.end(arrivals[job], jobs.get(job).length(), jobs.get(job).endSeconds()));
    return arrivals;
  }

  private static double[] told(Arrival... arrivals) {
    return Arrays.stream(arrivals).mapToDouble(Arrival::length).toArray();
  }

  @Test
  void beforeTheFirstForestItIsTheMeanOfTheGroupUserOrAll() {
    LengthPredictor predictor = new LengthPredictor(FEW_TREES);
    JobFacts job = new JobFacts("g", "u", "", 1);
    Arrival first = predictor.arrive(job, 0);
    assertThat(first.length()).isEqualTo(3600);
    predictor.end(first, 100, 50);
    predictor.end(predictor.arrive(new JobFacts("h", "u", "", 1), 60), 300, 70);
    assertThat(predictor.arrive(job, 80).length()).isEqualTo(100);
    assertThat(predictor.arrive(new JobFacts("i", "u", "", 1), 80).length()).isEqualTo(200);
    assertThat(predictor.arrive(new JobFacts("i", "v", "", 1), 80).length()).isEqualTo(200);
  }

  /**
   * Whatever becomes of jobs that end after a moment, and whatever comes after it: what was told
   * before is the same to the last bit.
   */
  @Test
  void whatEndsLaterChangesNothing() {
    Seeds.each(
        8,
        (random, seed) -> {
          List<PastJob> jobs = Recurring.jobs(random, 400);
          double moment = jobs.get(150 + random.nextInt(200)).submitSeconds();
          List<PastJob> changed = new ArrayList<>();
          int before = 0;
          for (PastJob job : jobs) {
            boolean came = job.submitSeconds() <= moment;
            before += came ? 1 : 0;
            if (job.endSeconds() <= moment) {
              changed.add(job);
            } else if (came) {
              double length = job.length() * Math.exp(3 * random.nextGaussian());
              double end = moment + 1 + random.nextDouble() * 1e5;
              changed.add(new PastJob(job.facts(), job.submitSeconds(), length, end));
            }
          }
          Settings settings = new Settings(8, 300, 3600, seed);
          Arrival[] one = replay(new LengthPredictor(settings), jobs);
          Arrival[] other = replay(new LengthPredictor(settings), changed);
          assertThat(told(other)).isEqualTo(told(Arrays.copyOf(one, before)));
        });
  }

  /** Knows that larger runs of a group are longer, which the group's mean does not. */
  @Test
  void itIsBetterThanTheGroupsMean() {
    List<PastJob> jobs = Recurring.jobs(new SplittableRandom(3), 3000);
    Arrival[] arrivals = replay(new LengthPredictor(new Settings(30, 20_000, 3600, 1)), jobs);
    int from = 1000;
    double[] actual = jobs.subList(from, 3000).stream().mapToDouble(PastJob::length).toArray();
    double[] predicted = Arrays.stream(arrivals).skip(from).mapToDouble(Arrival::length).toArray();
    Accuracy forest = Accuracy.of(predicted, actual);
    Accuracy mean = groupMean(jobs, from, actual);
    assertThat(forest.meanLogRatio()).isLessThan(0.5 * mean.meanLogRatio());
    assertThat(forest.meanAbsolute()).isLessThan(0.6 * mean.meanAbsolute());
  }

  private static Accuracy groupMean(List<PastJob> jobs, int from, double[] actual) {
    double[] expected = new double[jobs.size()];
    JobFeatures features = new JobFeatures();
    Replay.run(
        jobs,
        job -> expected[job] = features.simple(Method.GROUP_MEAN, jobs.get(job).facts(), 3600),
        job -> features.learn(jobs.get(job)));
    return Accuracy.of(Arrays.copyOfRange(expected, from, expected.length), actual);
  }

  @Test
  void theNumberOfThreadsDoesNotShow() {
    List<PastJob> jobs = Recurring.jobs(new SplittableRandom(4), 500);
    double[] alone = told(replay(new LengthPredictor(FEW_TREES), jobs));
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      assertThat(told(replay(new LengthPredictor(FEW_TREES, pool), jobs))).isEqualTo(alone);
    }
    Settings otherSeed = new Settings(8, 300, 3600, 2);
    assertThat(told(replay(new LengthPredictor(otherSeed), jobs))).isNotEqualTo(alone);
  }

  /** Lengths grow tenfold half-way: a forest of the last 300 jobs has forgotten the first half. */
  @Test
  void theWindowForgets() {
    List<PastJob> jobs = Recurring.jobs(new SplittableRandom(5), 2000);
    List<PastJob> changed = new ArrayList<>(jobs.subList(0, 1000));
    for (PastJob job : jobs.subList(1000, 2000)) {
      changed.add(
          new PastJob(job.facts(), job.submitSeconds(), 10 * job.length(), job.endSeconds()));
    }
    Arrival[] arrivals = replay(new LengthPredictor(FEW_TREES), changed);
    double[] actual = changed.subList(1800, 2000).stream().mapToDouble(PastJob::length).toArray();
    double[] predicted = Arrays.stream(arrivals).skip(1800).mapToDouble(Arrival::length).toArray();
    assertThat(Accuracy.of(predicted, actual).withinTwofold()).isGreaterThan(0.75);
  }
}
