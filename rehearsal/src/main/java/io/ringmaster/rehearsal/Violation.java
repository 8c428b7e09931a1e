package io.ringmaster.rehearsal;

/** An invariant that did not hold, and how. */
record Violation(Invariant invariant, String what) {
  @Override
  public String toString() {
    return "%s (%s): %s".formatted(invariant.text(), invariant.sentence(), what);
  }
}
