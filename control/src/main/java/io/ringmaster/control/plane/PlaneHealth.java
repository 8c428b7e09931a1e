package io.ringmaster.control.plane;

/**
 * How a server fares: whether its parts really answered lately. An age that grows tells of a part
 * that hangs: the plane steps, asks the engine and touches the store every few seconds, also when
 * there is nothing to do.
 *
 * @param leads whether this server decides
 * @param standsByBecause why it does not, in one line; empty: it leads
 * @param sinceStepSeconds since the plane last finished a step; NaN: it has not yet; infinite: its
 *     thread has ended
 * @param sinceEngineSeconds since the engine last told all that it knows; NaN: it has not yet
 * @param sinceStoreSeconds since the store last answered; NaN: it has not yet
 * @param trouble what is wrong besides, in one line; empty: nothing
 */
public record PlaneHealth(
    boolean leads,
    String standsByBecause,
    double sinceStepSeconds,
    double sinceEngineSeconds,
    double sinceStoreSeconds,
    String trouble) {

  /** Of one that leads, and answered just now. */
  public static final PlaneHealth WELL = new PlaneHealth(true, "", 0, 0, 0, "");

  /** The same of a plane whose thread has ended. */
  PlaneHealth ended() {
    return new PlaneHealth(
        leads,
        standsByBecause,
        Double.POSITIVE_INFINITY,
        sinceEngineSeconds,
        sinceStoreSeconds,
        trouble);
  }
}
