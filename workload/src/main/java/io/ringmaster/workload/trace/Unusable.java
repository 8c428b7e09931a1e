package io.ringmaster.workload.trace;

/** A row that is no job that can be replayed. The message says why, the same for like rows. */
final class Unusable extends RuntimeException {
  private static final long serialVersionUID = 1;

  Unusable(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
