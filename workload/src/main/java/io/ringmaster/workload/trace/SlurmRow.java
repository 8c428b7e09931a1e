package io.ringmaster.workload.trace;

import java.util.List;

/**
 * A job, a part or a step as Slurm's accounting has it, whatever the text it came in. Times are in
 * seconds since 1970, or {@link SlurmTime#UNKNOWN}.
 *
 * @param elapsedSeconds how long it ran, without the time for which it was suspended
 * @param servers where it ran; empty if it did not
 * @param queued what matters only of a job that has not ended
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
    List<String> servers,
    Queued queued) {

  /**
   * What matters of a job that has not ended.
   *
   * @param limitSeconds infinite if there is none
   * @param reason why it waits, as squeue has it; empty if the text does not say
   */
  record Queued(double limitSeconds, double priority, String reason, AskedPlace asked) {
    static final Queued UNKNOWN = new Queued(Double.POSITIVE_INFINITY, 0, "", AskedPlace.ANY);

    Queued(double limitSeconds, double priority, String reason) {
      this(limitSeconds, priority, reason, AskedPlace.ANY);
    }
  }

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

  /** Of a job that has not ended: one that waits may have a start that Slurm expects. */
  boolean waits() {
    return word().equals("PENDING") || word().equals("REQUEUED") || !started();
  }

  /** Whether one of its servers failed under it. */
  boolean lostServer() {
    return word().equals("NODE_FAIL");
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
