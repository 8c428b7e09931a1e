package io.ringmaster.cli.live;

/** A server that does not answer, or not as it should. The message is one line for people. */
public final class Unanswered extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** No server, or one that cannot serve now: worth trying again. */
  static final int UNAVAILABLE = 69;

  static final int FAILED = 1;

  private final int status;

  Unanswered(int status, String message) {
    super(message);
    this.status = status;
  }

  public int status() {
    return status;
  }
}
