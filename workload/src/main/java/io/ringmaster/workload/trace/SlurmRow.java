package io.ringmaster.workload.trace;

import java.util.List;

/**
 * A job, a part or a step as Slurm's accounting has it, whatever the text it came in. Times are in
 * seconds since 1970, or {@link SlurmTime#UNKNOWN}.
 *
 * @param elapsedSeconds how long it ran, without the time for which it was suspended
 * @param servers where it ran; empty if it did not
 */
record SlurmRow(
    SlurmId id,
    long submitSeconds,
    long eligibleSeconds,
    long startSeconds,
    long endSeconds,
    long elapsedSeconds,
    String state,
    Tres tres,
    String user,
    String partition,
    String name,
    List<String> servers) {

  boolean started() {
    return startSeconds != SlurmTime.UNKNOWN;
  }

  /**
   * A state may be followed by more, {@code CANCELLED by 1001}. One that is not final counts even
   * if there is an end: {@code sacct --truncate} invents one.
   */
  boolean ended() {
    int blank = state.indexOf(' ');
    String word = blank < 0 ? state : state.substring(0, blank);
    return endSeconds != SlurmTime.UNKNOWN
        && switch (word) {
          case "PENDING",
              "RUNNING",
              "SUSPENDED",
              "CONFIGURING",
              "COMPLETING",
              "STAGE_OUT",
              "STOPPED" ->
              false;
          default -> true;
        };
  }
}
