package io.ringmaster.simulator;

import io.ringmaster.predictor.loss.Convergence;
import io.ringmaster.predictor.loss.LossCurve;
import io.ringmaster.predictor.loss.LossHistory;
import java.util.HashMap;
import java.util.Map;

/**
 * Lengths as the losses that jobs report let one expect. A job ends when its loss is flat, after 40
 * to 160 epochs of equal length; the curve of its loss is drawn so that it is so. After each epoch
 * it reports a loss with noise. What it is expected to take are the epochs by which {@link
 * LossHistory} sees its loss flat; before the third epoch, the mean of the jobs that have ended.
 *
 * <p>A job is looked at anew after its third epoch, and then each time that its epochs have grown
 * by a fifth; at least an epoch and a second lie between.
 */
final class LossEstimates {
  private static final int LEAST_EPOCHS = 40;
  private static final int MOST_EPOCHS = 160;
  private static final int EPOCHS_AT_FIRST = 100;
  private static final int EPOCHS_FOR_A_CURVE = 3;
  private static final double GROWTH = 1.2;

  /** With Optimus' 0.05 no loss would take more than 60 epochs to be flat. */
  static final Convergence.Goal.Flat FLAT = new Convergence.Goal.Flat(10, 0.01);

  private static final Convergence CONVERGENCE = Convergence.of(FLAT, Convergence.MOST_EPOCHS);

  /** The share of its first loss that a job keeps is drawn from 0 to here. */
  private static final double HIGHEST_FLOOR = 0.3;

  /** A hair before its end an epoch is over: times are rounded. */
  private static final double HAIR_EPOCHS = 1e-6;

  private final Lengths lengths;
  private final JobChance chance;
  private final double sigma;
  private final Map<Integer, LossHistory> histories = new HashMap<>();
  private final double[] nextLook;
  private double endedEpochs;
  private int ended;

  LossEstimates(Lengths lengths, JobChance chance, double sigma, int jobs) {
    this.lengths = lengths;
    this.chance = chance;
    this.sigma = sigma;
    this.nextLook = new double[jobs];
  }

  /** Whole epochs that the job takes, log-uniform. */
  int epochs(int job) {
    double factor = (double) MOST_EPOCHS / LEAST_EPOCHS;
    return (int) StrictMath.rint(LEAST_EPOCHS * StrictMath.pow(factor, 1 - chance.uniform(job, 0)));
  }

  /**
   * The curve (1 - c) / (1 + r (k - 1)) + c, which is 1 after the first epoch, for which the last
   * epoch of the job is the first flat one.
   *
   * <p>With the window w and the tolerance t, half an epoch before it (1 - c) r w / ((1 + r a) (1 +
   * r b)) = t where a is w epochs before b: a quadratic in r, whose larger root is the curve that
   * is past its steep part.
   */
  LossCurve curve(int job) {
    double floor = HIGHEST_FLOOR * (1 - chance.uniform(job, 1));
    double b = epochs(job) - 1.5;
    double a = b - FLAT.windowEpochs();
    double linear = (1 - floor) * FLAT.windowEpochs() / FLAT.tolerance() - a - b;
    double rate = (linear + StrictMath.sqrt(linear * linear - 4 * a * b)) / (2 * a * b);
    return new LossCurve(rate / (1 - floor), (1 - rate) / (1 - floor), floor);
  }

  /** What a job is expected to take when it comes, in ideal seconds. */
  double arrive(int job) {
    double epoch = epochSeconds(job);
    nextLook[job] = Math.max(1, EPOCHS_FOR_A_CURVE * epoch);
    return epoch * prior();
  }

  private double prior() {
    return ended == 0 ? EPOCHS_AT_FIRST : endedEpochs / ended;
  }

  private double epochSeconds(int job) {
    return lengths.idealSeconds(job) / epochs(job);
  }

  /** When the job is to be looked at again, in ideal seconds done. */
  double nextLookSeconds(int job) {
    return nextLook[job];
  }

  /** What a job is expected to take after the losses that it has reported by now. */
  double look(int job, double doneSeconds) {
    double epoch = epochSeconds(job);
    int done = (int) StrictMath.floor(doneSeconds / epoch + HAIR_EPOCHS);
    LossHistory history = histories.computeIfAbsent(job, _ -> new LossHistory());
    LossCurve curve = curve(job);
    for (int k = history.size() + 1; k <= done; k++) {
      history.add(k, Math.max(0, curve.at(k) * (1 + sigma * chance.gaussian(job, k))));
    }
    int next = Math.max(done + 1, (int) StrictMath.ceil(done * GROWTH));
    nextLook[job] = Math.max(doneSeconds + 1, Math.max(EPOCHS_FOR_A_CURVE, next) * epoch);
    double expected = epoch * history.forecast(CONVERGENCE.withPrior(prior())).totalEpochs();
    // It goes on, so it takes one more epoch at least.
    return expected > doneSeconds + HAIR_EPOCHS * epoch
        ? expected
        : doneSeconds + Math.max(epoch, 1);
  }

  void end(int job) {
    histories.remove(job);
    endedEpochs += epochs(job);
    ended++;
  }
}
