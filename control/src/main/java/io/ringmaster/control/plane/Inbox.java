package io.ringmaster.control.plane;

/** Where messages for the plane are left, from any thread. */
@FunctionalInterface
public interface Inbox {
  void post(Message message);

  /** What is wrong with the plane that should take them, in words; empty: nothing. */
  default String trouble() {
    return "";
  }
}
