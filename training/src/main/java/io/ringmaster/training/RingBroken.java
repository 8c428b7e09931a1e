package io.ringmaster.training;

/**
 * The members of a ring do not come together, or one of them is gone. The message is one line that
 * names the rank and its address.
 */
public final class RingBroken extends RuntimeException {
  private static final long serialVersionUID = 1;

  RingBroken(String message) {
    super(message);
  }
}
