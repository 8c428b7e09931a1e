package io.ringmaster.control.api;

/**
 * How much one may ask for.
 *
 * @param bodyBytes longest body of a request
 * @param logBytes most bytes of a log in one answer
 * @param requestsPerSecond of one user, in the long run
 * @param burst requests of one user at once
 * @param listeners most who listen for events at a time
 * @param waitSeconds how long a request waits for the plane
 */
public record Limits(
    int bodyBytes,
    int logBytes,
    double requestsPerSecond,
    double burst,
    int listeners,
    double waitSeconds) {

  public static Limits usual() {
    return new Limits(1 << 20, 1 << 20, 5000, 10_000, 200, 30);
  }
}
