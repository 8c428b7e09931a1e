package io.ringmaster.workload.trace;

/** Ids for the rows of a trace that has none: a letter and the row's number over all files. */
final class Numbering {
  private final String letter;
  private long last;

  Numbering(String letter) {
    this.letter = letter;
  }

  String next() {
    return letter + ++last;
  }
}
