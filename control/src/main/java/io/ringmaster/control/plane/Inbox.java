package io.ringmaster.control.plane;

/** Where messages for the plane are left, from any thread. */
@FunctionalInterface
public interface Inbox {
  void post(Message message);

  /** How the plane fares that should take them. */
  default PlaneHealth health() {
    return PlaneHealth.WELL;
  }
}
