package io.ringmaster.model;

/**
 * A time in which a server, or a rack, is taken away on purpose.
 *
 * @param isRack whether the name is a rack's
 * @param atSeconds when it goes, from the start of the trace
 * @param forSeconds how long it is away
 * @param drainSeconds for so long before, no job starts there
 */
public record Maintenance(
    String name, boolean isRack, double atSeconds, double forSeconds, double drainSeconds) {

  /** Whether it takes a server away. */
  public boolean takes(Server server) {
    return name.equals(isRack ? server.rack() : server.name());
  }
}
