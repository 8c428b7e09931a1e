package io.ringmaster.control.plane;

/** Where messages for the plane are left, from any thread. */
@FunctionalInterface
public interface Inbox {
  void post(Message message);
}
