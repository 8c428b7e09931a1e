package io.ringmaster.training;

/** A mistake in what the worker was given; one line for the user. */
public final class BadOption extends RuntimeException {
  private static final long serialVersionUID = 1;

  BadOption(String message) {
    super(message);
  }
}
