package io.ringmaster.model;

/**
 * A mistake in what the user gave. The message is one line that names the place, the value, what
 * was expected, and the way out; it is shown as it is, without a stack trace.
 */
public final class BadInput extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BadInput(String message) {
    super(message);
  }
}
