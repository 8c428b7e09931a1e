package io.ringmaster.predictor.length;

import io.ringmaster.predictor.forest.Forest;
import io.ringmaster.predictor.forest.Rows;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How far methods are off on jobs that came after all they learnt from. Jobs are divided by
 * submission. A forest is grown on those of the first part that had ended when the second began.
 * Each job of the second part is predicted when it comes, with the statistics of all that had ended
 * by then.
 */
public final class Evaluation {
  private final List<PastJob> jobs;
  private final int divide;
  private final int width = JobFeatures.names().size();
  private final double[] numbers;
  private final Map<Method, double[]> simple = new EnumMap<>(Method.class);

  /**
   * Divides jobs, and finds the numbers of each when it came.
   *
   * @param jobs in order of submission
   * @param divide how many are in the first part; at least 1, fewer than all
   */
  public Evaluation(List<PastJob> jobs, int divide) {
    if (divide < 1 || divide >= jobs.size()) {
      throw new IllegalArgumentException(divide + " of " + jobs.size());
    }
    this.jobs = jobs;
    this.divide = divide;
    this.numbers = new double[jobs.size() * width];
    for (Method method : Method.values()) {
      if (method != Method.FOREST) {
        simple.put(method, new double[jobs.size() - divide]);
      }
    }
    JobFeatures features = new JobFeatures();
    Replay.run(jobs, job -> came(features, job), job -> features.learn(jobs.get(job)));
  }

  private void came(JobFeatures features, int job) {
    JobFacts facts = jobs.get(job).facts();
    System.arraycopy(
        features.of(facts, jobs.get(job).submitSeconds()), 0, numbers, job * width, width);
    if (job >= divide) {
      simple.forEach((method, predicted) ->
          predicted[job - divide] = features.simple(method, facts, Double.NaN));
    }
  }

  /** Jobs to learn from: of the first part, and ended when the second began. May be none. */
  public int[] learnt() {
    double began = jobs.get(divide).submitSeconds();
    return where(job -> job < divide && jobs.get(job).endSeconds() <= began);
  }

  public int[] tested() {
    return where(job -> job >= divide);
  }

  private int[] where(IntPredicate which) {
    return IntStream.range(0, jobs.size()).filter(which).toArray();
  }

  /** What was known of some jobs when they came. */
  public Rows rows(int[] which) {
    double[] values = new double[which.length * width];
    for (int i = 0; i < which.length; i++) {
      System.arraycopy(numbers, which[i] * width, values, i * width, width);
    }
    return new Rows(values, width);
  }

  public double[] lengths(int[] which) {
    return Arrays.stream(which).mapToDouble(job -> jobs.get(job).length()).toArray();
  }

  /** What a forest is to learn of some jobs: the logarithms of their lengths. */
  public double[] labels(int[] which) {
    return Arrays.stream(lengths(which)).map(JobFeatures::log).toArray();
  }

  /**
   * Predicts the second part.
   *
   * @param share of lengths that intervals are to hold
   */
  public Predictions predict(Forest forest, double share) {
    Predictions out = new Predictions(lengths(tested()), simple);
    double[] mean = out.predicted(Method.FOREST);
    double[] low = new double[mean.length];
    double[] high = new double[mean.length];
    Intervals intervals = new Intervals(share);
    Replay.run(
        jobs,
        job -> {
          if (job >= divide) {
            int at = job - divide;
            double[] row = Arrays.copyOfRange(numbers, job * width, (job + 1) * width);
            mean[at] = JobFeatures.length(forest.mean(row));
            double[] sample = forest.sample(row);
            low[at] = intervals.low(sample);
            high[at] = intervals.high(sample);
            out.interval(at, low[at] - intervals.margin(), high[at] + intervals.margin());
          }
        },
        job -> {
          if (job >= divide) {
            int at = job - divide;
            intervals.learn(low[at], high[at], JobFeatures.log(jobs.get(job).length()));
          }
        });
    return out;
  }
}
