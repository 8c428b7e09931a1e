package io.ringmaster.model;

/**
 * What exchanging gradients adds to an iteration of one model, fitted to measured times. With w
 * workers, at most g of them on one server, an exchange takes
 *
 * <pre>
 *   startup + inside.share * share(w) + inside.step * steps(w)                            on one server
 *   startup + across.share * share(w) + across.step * steps(w) + neighbour * (g - 1)      across servers
 * </pre>
 *
 * <p>where {@code share} and {@code steps} are those of the {@link AllReduce}; workers on one
 * server share its link, which is what g counts. One worker exchanges nothing. Of exchange and
 * computation together an iteration takes
 *
 * <pre>
 *   (compute^overlap + exchange^overlap)^(1 / overlap)
 * </pre>
 *
 * <p>so 1 is one after the other, and the greater the overlap, the nearer it is to the longer of
 * both: Qiao et al., "Pollux", OSDI 2021, section 3.2. With an overlap of 1, no startup and no
 * difference between inside and across it is the form of Capes, Raheja, Kemertas, Mohomed, MLSys
 * workshop at NeurIPS 2018 (arXiv 1908.08082).
 *
 * @param overlap at least 1
 */
public record FittedExchange(
    AllReduce allReduce,
    double overlap,
    double startupSeconds,
    double insideShareSeconds,
    double insideStepSeconds,
    double acrossShareSeconds,
    double acrossStepSeconds,
    double neighbourSeconds) {

  /** The same inside a server and across servers. */
  public static FittedExchange anywhere(
      AllReduce allReduce, double startupSeconds, double shareSeconds, double stepSeconds) {
    return new FittedExchange(
        allReduce, 1, startupSeconds, shareSeconds, stepSeconds, shareSeconds, stepSeconds, 0);
  }

  /** Seconds of an exchange between workers on one server. */
  public double insideSeconds(int workers) {
    return workers == 1
        ? 0
        : startupSeconds
            + insideShareSeconds * allReduce.share(workers)
            + insideStepSeconds * allReduce.steps(workers);
  }

  /**
   * Seconds of an exchange between workers on several servers.
   *
   * @param mostOnOne the most that sit on one server
   */
  public double acrossSeconds(int workers, int mostOnOne) {
    return startupSeconds
        + acrossShareSeconds * allReduce.share(workers)
        + acrossStepSeconds * allReduce.steps(workers)
        + neighbourSeconds * (mostOnOne - 1);
  }

  /** Seconds of an exchange. */
  public double seconds(Placement placement) {
    return placement.crossesServers()
        ? acrossSeconds(placement.workers(), placement.mostOnOne())
        : insideSeconds(placement.workers());
  }

  /** Seconds of computation and exchange together. */
  public double together(double computeSeconds, double exchangeSeconds) {
    return together(computeSeconds, exchangeSeconds, overlap);
  }

  /** Seconds of computation and exchange with an overlap. */
  public static double together(double computeSeconds, double exchangeSeconds, double overlap) {
    if (overlap == 1) {
      return computeSeconds + exchangeSeconds;
    }
    double longer = Math.max(computeSeconds, exchangeSeconds);
    double part = longer == 0 ? 0 : Math.min(computeSeconds, exchangeSeconds) / longer;
    return longer * StrictMath.pow(1 + StrictMath.pow(part, overlap), 1 / overlap);
  }
}
