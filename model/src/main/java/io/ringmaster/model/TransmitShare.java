package io.ringmaster.model;

/**
 * What a ring counts for others on a link: the share of the time in which they find it
 * transmitting, when they begin to transmit themselves.
 *
 * <p>A ring transmits for e seconds if alone, then does other things for c seconds, and so on.
 * Rings that transmit at one moment share the link, so k of them are each f(k) = k + alpha (k - 1)
 * times slower. With rings at random phases that is a closed queueing network of one shared server
 * and a place to think: Reiser, Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing
 * Networks", J. ACM 27 (1980). By its arrival theorem a ring finds the link as it is in the long
 * run without that ring. So with n rings that are all alike
 *
 * <pre>
 *   x(n) = e f(1 + (n - 1) q(n - 1))        how long it transmits
 *   q(n) = x(n) / (x(n) + c)                the share of its time in which it does
 * </pre>
 *
 * and a ring counts q(p - 1) for each other where p share a link. Nothing is iterated to a fixed
 * point. Only c / e matters.
 *
 * <p>Departures: the theorem is for alpha = 0. A ring's share is that beside others like itself,
 * where the exact recursion goes through all subsets of the rings; so a server need not know what
 * its rings do elsewhere. For two rings, and for any number of equal ones, it is exact with alpha =
 * 0. Rings that keep in step by chance or by design are not at random phases: for them {@link
 * Network.Contention} is the truth.
 */
public final class TransmitShare {
  private TransmitShare() {}

  /** The share that one other ring of p sees on a server's link. */
  public static double of(double restRatio, int rings, double alpha) {
    return of(restRatio, rings, alpha, 1);
  }

  /**
   * The share that one other ring of p sees.
   *
   * @param restRatio c / e; 0 for a ring that only transmits, infinite for one that never does
   * @param rings p, at least 1, with the one that looks
   * @param width how many times what the ring sends the link carries: so much wider than its own
   *     server's an uplink may be, and then transmitting takes no longer until that is exceeded
   * @return 0 to 1; greater with more rings, since transmitting takes longer among them
   */
  public static double of(double restRatio, int rings, double alpha, double width) {
    double share = 0;
    for (int n = 1; n < rings; n++) {
      double others = (n - 1) * share;
      double transmits = Math.max(1, (1 + others + alpha * others) / width);
      share = transmits / (transmits + restRatio);
    }
    return share;
  }
}
