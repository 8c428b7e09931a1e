package io.ringmaster.rehearsal;

/** A plane's process ends here and now, as by {@code kill -9}. An error: nobody may catch it. */
final class Killed extends Error {
  private static final long serialVersionUID = 1;

  Killed(String where) {
    super(where, null, false, false);
  }
}
