package io.ringmaster.control.store;

/** Another server leads now: this one must not write, and ends its term. */
public final class NotLeading extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NotLeading(String message) {
    super(message);
  }
}
