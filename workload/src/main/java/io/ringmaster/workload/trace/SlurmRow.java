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

  /** One that is not final counts even if there is an end: {@code sacct --truncate} invents one. */
  boolean ended() {
    return endSeconds != SlurmTime.UNKNOWN
        && switch (word()) {
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

  boolean completed() {
    return word().equals("COMPLETED");
  }

  /** A state may be followed by more, as in {@code CANCELLED by 1001}. */
  private String word() {
    int blank = state.indexOf(' ');
    return blank < 0 ? state : state.substring(0, blank);
  }
}
