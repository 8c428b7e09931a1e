package io.ringmaster.predictor.told;

/**
 * What is left of a job, by how wrong lengths were told so far: the median over those that got as
 * far. Bin by bin, of the jobs that came to it, which share ended in it (the hazard; Kaplan and
 * Meier, 1958, for jobs that are censored). Where few came, those of all jobs count in, told as
 * short or as long, and where even those are few, a log-normal error.
 *
 * <p>The median, and not the mean: a few jobs that are a hundred times as long as told would make
 * all look long. Gittins' index, which is best in theory, was worse by one percent on traces.
 */
public final class LikelyLeft {
  /** So many jobs of all kinds count as much as those of the kind. */
  private static final double WEIGHT_OF_ALL = 20;

  /** So many jobs would have to come to a bin to count as much as what is taken for granted. */
  private static final double WEIGHT_OF_PRIOR = 10;

  /** Taken for granted: the logarithm of the ratio is normal, with this deviation. */
  private static final double PRIOR_SIGMA = 1;

  /**
   * But no more than this share ends in a bin: of a job far beyond what was told, half of what it
   * has done is left, and not next to nothing.
   */
  private static final double MOST_PRIOR =
      1 - StrictMath.pow(2, -StrictMath.log(Ratios.STEP) / StrictMath.log(1.5));

  private static final double LN_2 = StrictMath.log(2);

  /** Beyond the last bin a job goes on for at most so many octaves. */
  private static final double MOST_OCTAVES = 8;

  private static final double[] PRIOR = prior();

  /** By bucket: minus the logarithm of the share that is left at each edge, if all came there. */
  private final double[][] cumulative = new double[Ratios.BUCKETS][];

  /** By bucket: how many times as long a job becomes from beyond the last bin. */
  private final double[] beyond = new double[Ratios.BUCKETS];

  LikelyLeft(LengthErrors.Counts counts) {
    double[] all = hazards(sum(counts.ended), sum(counts.censored), PRIOR, WEIGHT_OF_PRIOR);
    for (int bucket = 0; bucket < Ratios.BUCKETS; bucket++) {
      double[] own = hazards(counts.ended[bucket], counts.censored[bucket], all, WEIGHT_OF_ALL);
      double[] sums = new double[Ratios.BINS + 1];
      for (int bin = 0; bin < Ratios.BINS; bin++) {
        sums[bin + 1] = sums[bin] - StrictMath.log1p(-own[bin]);
      }
      cumulative[bucket] = sums;
      double last = sums[Ratios.BINS] - sums[Ratios.BINS - 1];
      double octaves = LN_2 / last * StrictMath.log(Ratios.STEP) / LN_2;
      beyond[bucket] = StrictMath.pow(2, Math.min(MOST_OCTAVES, octaves));
    }
  }

  /** By the density in the middle of each bin, from far beyond the last one down. */
  private static double[] prior() {
    double[] hazards = new double[Ratios.BINS];
    double beyond = 0;
    double step = StrictMath.log(Ratios.STEP) / PRIOR_SIGMA;
    for (int bin = 2 * Ratios.BINS; bin >= 0; bin--) {
      double deviations = (bin + 0.5 - Ratios.BINS / 2) * step;
      double share = StrictMath.exp(-deviations * deviations / 2);
      beyond += share;
      if (bin < Ratios.BINS) {
        hazards[bin] = Math.min(MOST_PRIOR, share / beyond);
      }
    }
    return hazards;
  }

  private static int[] sum(int[][] counts) {
    int[] sums = new int[Ratios.BINS];
    for (int[] bucket : counts) {
      for (int bin = 0; bin < Ratios.BINS; bin++) {
        sums[bin] += bucket[bin];
      }
    }
    return sums;
  }

  /** A job that is censored in a bin says nothing of that bin: it did not pass it. */
  private static double[] hazards(int[] ended, int[] censored, double[] otherwise, double weight) {
    double[] hazards = new double[Ratios.BINS];
    int passed = 0;
    for (int bin = Ratios.BINS - 1; bin >= 0; bin--) {
      hazards[bin] = (ended[bin] + weight * otherwise[bin]) / (passed + ended[bin] + weight);
      passed += ended[bin] + censored[bin];
    }
    return hazards;
  }

  /** The median of what is left of a job that was told so long and has done so much. */
  public double medianSeconds(double toldSeconds, double doneSeconds) {
    if (!(toldSeconds > 0)) {
      return 0;
    }
    int bucket = Ratios.bucket(toldSeconds);
    double[] sums = cumulative[bucket];
    double[] edges = Ratios.EDGES;
    double done = doneSeconds / toldSeconds;
    if (done >= edges[Ratios.BINS]) {
      return doneSeconds * (beyond[bucket] - 1);
    }
    double half = between(edges, sums, done) + LN_2;
    double end =
        half >= sums[Ratios.BINS]
            ? edges[Ratios.BINS] * beyond[bucket]
            : between(sums, edges, half);
    return Math.max(0, end - done) * toldSeconds;
  }

  /** The value that belongs to a place, on the straight lines between the points. */
  private static double between(double[] places, double[] values, double place) {
    int at = Ratios.at(places, place);
    double share = (place - places[at]) / (places[at + 1] - places[at]);
    return values[at] + share * (values[at + 1] - values[at]);
  }
}
