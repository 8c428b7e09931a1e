package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.job.Status.Phase;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** What is known of an attempt, in a file that a server that is killed leaves behind. */
final class AttemptRecord {
  /** So long it waits for nodes that were taken away: they may have been for a moment only. */
  private static final double BLOCKED_SECONDS = 10;

  final AttemptId attempt;

  /** Empty: the job was submitted to the plane. */
  final String arrival;

  /** Null: it was stopped before it was ever launched. */
  final @Nullable Allocation allocation;

  /** What its job is marked with, if the job was submitted to the plane. */
  String tag = "";

  /** What Slurm calls its job; empty: that is not known, as when sbatch did not answer. */
  String address = "";

  /** The number of an arrival, if it is known: a task of an array gets one when it is released. */
  long number;

  /** Of the arrival, when it was launched. */
  int restarts;

  /** When an arrival was first let go, as far as is known: from then on it may have run. */
  double releasedSeconds = Double.NaN;

  boolean wasRunning;
  double stopSeconds = Double.NaN;
  double killSeconds = Double.POSITIVE_INFINITY;

  /** Whether it was asked to stop, by the signal that is set or, if it is ours, by TERM. */
  boolean signalled;

  /** Whether Slurm was asked to end it. */
  boolean killed;

  /** Whether the job is to end with it. */
  boolean forGood;

  @Nullable Phase end;

  // What need not be remembered.
  double triedSeconds = Double.NEGATIVE_INFINITY;
  double unknownSinceSeconds = Double.NaN;

  /** Since when its nodes are not to be had. */
  double blockedSinceSeconds = Double.NaN;

  /** Whether it was held before Slurm started it, because it is not to start there any more. */
  boolean heldBack;

  Phase told = new Status.Pending();

  AttemptRecord(AttemptId attempt, String arrival, @Nullable Allocation allocation) {
    this.attempt = attempt;
    this.arrival = arrival;
    this.allocation = allocation;
  }

  boolean isArrival() {
    return !arrival.isEmpty();
  }

  boolean isLive() {
    return end == null;
  }

  boolean isStopping() {
    return !Double.isNaN(stopSeconds);
  }

  /** Whether its nodes have not been to be had for long enough to give it up there. */
  boolean isGivenUp(Verdict verdict) {
    if (!(verdict instanceof Verdict.Blocked)) {
      blockedSinceSeconds = Double.NaN;
      return false;
    }
    if (Double.isNaN(blockedSinceSeconds)) {
      blockedSinceSeconds = Records.now();
    }
    return Records.now() >= blockedSinceSeconds + BLOCKED_SECONDS;
  }

  boolean wasReleased() {
    return !Double.isNaN(releasedSeconds);
  }

  Phase phase() {
    if (end != null) {
      return end;
    }
    return wasRunning ? new Status.Running() : new Status.Pending();
  }

  void write(Path file) throws IOException {
    Properties fields = new Properties();
    fields.setProperty("arrival", arrival);
    fields.setProperty("allocation", allocation == null ? "" : allocation.text());
    fields.setProperty("tag", tag);
    fields.setProperty("address", address);
    fields.setProperty("number", Long.toString(number));
    fields.setProperty("restarts", Integer.toString(restarts));
    fields.setProperty("released-s", Double.toString(releasedSeconds));
    fields.setProperty("was-running", Boolean.toString(wasRunning));
    fields.setProperty("stop-s", Double.toString(stopSeconds));
    fields.setProperty("kill-s", Double.toString(killSeconds));
    fields.setProperty("signalled", Boolean.toString(signalled));
    fields.setProperty("killed", Boolean.toString(killed));
    fields.setProperty("for-good", Boolean.toString(forGood));
    switch (end) {
      case Status.Exited(int code, boolean stopped, String why) -> {
        fields.setProperty("exit-code", Integer.toString(code));
        fields.setProperty("stopped", Boolean.toString(stopped));
        fields.setProperty("why", why);
      }
      case Status.Gone(String why) -> fields.setProperty("gone", why);
      case null, default -> {}
    }
    StringWriter text = new StringWriter();
    fields.store(text, null);
    PartitionFolder.put(file, text.toString());
  }

  static AttemptRecord read(AttemptId attempt, Path file) throws IOException {
    Properties fields = new Properties();
    fields.load(new StringReader(Files.readString(file)));
    String allocation = fields.getProperty("allocation", "");
    AttemptRecord record =
        new AttemptRecord(
            attempt,
            fields.getProperty("arrival", ""),
            allocation.isEmpty() ? null : Allocation.of(allocation));
    record.tag = fields.getProperty("tag", "");
    record.address = fields.getProperty("address", "");
    record.number = Long.parseLong(fields.getProperty("number", "0"));
    record.restarts = Integer.parseInt(fields.getProperty("restarts", "0"));
    record.releasedSeconds = Double.parseDouble(fields.getProperty("released-s", "NaN"));
    record.wasRunning = Boolean.parseBoolean(fields.getProperty("was-running"));
    record.stopSeconds = Double.parseDouble(fields.getProperty("stop-s", "NaN"));
    record.killSeconds = Double.parseDouble(fields.getProperty("kill-s", "Infinity"));
    record.signalled = Boolean.parseBoolean(fields.getProperty("signalled"));
    record.killed = Boolean.parseBoolean(fields.getProperty("killed"));
    record.forGood = Boolean.parseBoolean(fields.getProperty("for-good"));
    String code = fields.getProperty("exit-code");
    String gone = fields.getProperty("gone");
    if (code != null) {
      record.end =
          new Status.Exited(
              Integer.parseInt(code),
              Boolean.parseBoolean(fields.getProperty("stopped")),
              fields.getProperty("why", ""));
    } else if (gone != null) {
      record.end = new Status.Gone(gone);
    }
    return record;
  }
}
