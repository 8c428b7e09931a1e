package io.ringmaster.predictor.loss;

/**
 * When a job is done.
 *
 * @param goal what its loss has to do
 * @param mostEpochs no job is expected to take more, unless it already has
 * @param priorEpochs what a job is expected to take while too few losses are known; NaN: {@link
 *     #MORE_EPOCHS} more than it has done
 */
public record Convergence(Goal goal, int mostEpochs, double priorEpochs) {
  /** So many more epochs if there is no curve; so does Optimus' code. */
  public static final int MORE_EPOCHS = 20;

  public static final int MOST_EPOCHS = 200;

  public static final Convergence DEFAULT = of(Goal.Flat.DEFAULT, MOST_EPOCHS);

  public Convergence {
    if (mostEpochs < 1) {
      throw new IllegalArgumentException("at most " + mostEpochs + " epochs");
    }
    if (priorEpochs <= 0 || Double.isInfinite(priorEpochs)) {
      throw new IllegalArgumentException("prior of " + priorEpochs + " epochs");
    }
  }

  public static Convergence of(Goal goal, int mostEpochs) {
    return new Convergence(goal, mostEpochs, Double.NaN);
  }

  public Convergence withPrior(double epochs) {
    return new Convergence(goal, mostEpochs, epochs);
  }

  /** What a loss has to do. */
  public sealed interface Goal {
    /**
     * To fall no further: by at most a share of the greatest loss in a window of epochs.
     *
     * @param tolerance share of the greatest loss
     */
    record Flat(int windowEpochs, double tolerance) implements Goal {
      /** Ten epochs and 0.05, as in Optimus' code. */
      public static final Flat DEFAULT = new Flat(10, 0.05);

      public Flat {
        if (windowEpochs < 1) {
          throw new IllegalArgumentException("window of " + windowEpochs + " epochs");
        }
        if (!(tolerance > 0 && tolerance < 1)) {
          throw new IllegalArgumentException("tolerance " + tolerance);
        }
      }
    }

    record Target(double loss) implements Goal {
      public Target {
        if (!(loss > 0) || Double.isInfinite(loss)) {
          throw new IllegalArgumentException("target " + loss);
        }
      }
    }
  }
}
