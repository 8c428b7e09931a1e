package io.ringmaster.engine.slurm.partition;

import io.ringmaster.engine.slurm.client.SlurmJob;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What Slurm's row of a job says of the attempt that was to run it. */
sealed interface Verdict {

  /** Released, and Slurm has not got to it yet. */
  record Waits(String why) implements Verdict {}

  /** Released, and Slurm has looked at it and does not start it now. */
  record Blocked(String why) implements Verdict {}

  /** Held and not started: the release did not happen, or was forgotten or taken back. */
  record Held() implements Verdict {}

  record Runs() implements Verdict {}

  /** It ran, and Slurm does not know that: processes may live until its nodes have been told. */
  record Forgotten(String why) implements Verdict {}

  /** Over by itself. */
  record Ended(int code, String why) implements Verdict {}

  /** Its node failed. */
  record Lost(String why) implements Verdict {}

  /** This run of it is over, and the job is back in the queue, or runs again without us. */
  record Requeued(String why) implements Verdict {}

  /** Slurm does not start it as it is, however long it waits. */
  record Impossible(String why) implements Verdict {}

  /** Reasons that do not go away. */
  Set<String> HOPELESS =
      Set.of(
          "BadConstraints",
          "PartitionNodeLimit",
          "PartitionTimeLimit",
          "DependencyNeverSatisfied",
          "InvalidAccount",
          "InvalidQOS",
          "launch_failed_requeued_held");

  /** Of one that Slurm has not looked at, or not after those that are before it. */
  Set<String> NOT_LOOKED_AT = Set.of("", "None", "Priority");

  /**
   * Judges.
   *
   * @param row null: Slurm does not know the job
   * @param restarts how often the job had been requeued when this attempt was launched
   * @param wasRunning whether it was ever seen to run
   */
  static Verdict of(@Nullable SlurmJob row, int restarts, boolean wasRunning) {
    if (row == null) {
      return new Forgotten("Slurm does not know it any more");
    }
    if (row.restarts() > restarts) {
      return row.state().equals("CG")
          ? new Runs()
          : new Requeued("was requeued in Slurm: " + row.reason());
    }
    if (row.isWaiting()) {
      if (wasRunning) {
        return new Forgotten("Slurm forgot that it had started it");
      }
      if (row.isHeld()) {
        return new Held();
      }
      if (HOPELESS.contains(row.reason())) {
        return new Impossible("Slurm cannot start it: " + row.reason());
      }
      return NOT_LOOKED_AT.contains(row.reason())
          ? new Waits("Slurm did not get to it")
          : new Blocked("Slurm made it wait: " + row.reason());
    }
    if (row.hasProcesses()) {
      return new Runs();
    }
    return switch (row.state()) {
      case "CD" -> new Ended(0, "");
      case "NF" -> new Lost("its node failed");
      case "BF" -> new Lost("its node did not boot");
      case "CA" -> new Ended(143, "was cancelled in Slurm");
      case "TO" -> new Ended(143, "ran for its time limit in Slurm");
      case "DL" -> new Ended(143, "its deadline in Slurm is over");
      case "OOM" -> new Ended(137, "ran out of memory");
      default -> new Ended(row.exitCode() == 0 ? 1 : row.exitCode(), "");
    };
  }
}
