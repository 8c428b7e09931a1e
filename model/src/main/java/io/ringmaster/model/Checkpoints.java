package io.ringmaster.model;

/** What a job that saves its work now and then has kept of it. */
public final class Checkpoints {
  /** So near to a checkpoint, as a share of the way to it, it counts as reached. */
  private static final double ROUNDING = 1e-6;

  private Checkpoints() {}

  /**
   * Work up to the last checkpoint.
   *
   * @param doneSeconds of work at ideal speed
   * @param everySeconds of such work between two checkpoints; above 0
   */
  public static double kept(double doneSeconds, double everySeconds) {
    double saved = Math.floor(doneSeconds / everySeconds + ROUNDING) * everySeconds;
    return Math.min(doneSeconds, saved);
  }

  /**
   * How much work is best between two checkpoints, to first order: Young, "A first order
   * approximation to the optimum checkpoint interval", CACM 17(9), 1974.
   *
   * @param saveSeconds that a checkpoint takes
   * @param betweenSeconds mean time between two failures
   */
  public static double young(double saveSeconds, double betweenSeconds) {
    return Math.sqrt(2 * saveSeconds * betweenSeconds);
  }

  /**
   * The same to higher order: Daly, "A higher order estimate of the optimum checkpoint interval for
   * restart dumps", Future Generation Computer Systems 22(3), 2006, equation (37).
   */
  public static double daly(double saveSeconds, double betweenSeconds) {
    if (saveSeconds >= 2 * betweenSeconds) {
      return betweenSeconds;
    }
    double root = Math.sqrt(saveSeconds / (2 * betweenSeconds));
    return young(saveSeconds, betweenSeconds) * (1 + root / 3 + root * root / 9) - saveSeconds;
  }

  /**
   * Time over work where failures are exponential, restarts take their time and may fail too:
   * Daly's complete model, equation (20) of the same.
   */
  public static double expectedStretch(
      double everySeconds, double saveSeconds, double restartSeconds, double betweenSeconds) {
    return betweenSeconds
        * Math.exp(restartSeconds / betweenSeconds)
        * Math.expm1((everySeconds + saveSeconds) / betweenSeconds)
        / everySeconds;
  }
}
