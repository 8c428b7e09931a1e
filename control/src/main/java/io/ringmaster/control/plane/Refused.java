package io.ringmaster.control.plane;

/** A request that cannot be granted as things stand. The message is one line for people. */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1;

  public enum Kind {
    NOT_FOUND,
    CONFLICT,
    /** Not with this role. */
    FORBIDDEN,
    /** A limit is reached: less, or later. */
    TOO_MANY,
    NOT_LEADING
  }

  private final Kind kind;

  public Refused(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
