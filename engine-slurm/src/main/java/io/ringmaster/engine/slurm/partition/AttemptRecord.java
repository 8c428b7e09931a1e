package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.engine.Launch;
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
  /** So long it waits for what Slurm does not give it: it may be for a moment only. */
  private static final double BLOCKED_SECONDS = 10;

  /** So long Slurm may take to look at it: where it only does so now and then, it is a minute. */
  private static final double WAITS_SECONDS = 120;

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

  /** Since when it has waited after its release. */
  private double waitsSinceSeconds = Double.NaN;

  /** Since when Slurm has said that it does not start it. */
  private double blockedSinceSeconds = Double.NaN;

  /** Whether it was held before Slurm started it, because it is not to start there any more. */
  boolean heldBack;

  /** Why that is, if it was not asked to stop. */
  String whyHeldBack = "";

  /** What the plane counts for each of its GPUs, as at its launch. */
  double cpusPerGpu;

  double memoryGbPerGpu;

  Phase told = new Status.Pending();

  AttemptRecord(Launch launch) {
    this(launch.attempt(), launch.arrival(), launch.allocation());
    cpusPerGpu = launch.spec().cpusPerGpu();
    memoryGbPerGpu = launch.spec().memoryGbPerGpu();
  }

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

  /**
   * Why it is to be taken back from Slurm, which has let it wait for too long; empty: it is not.
   */
  String whyGivenUp(Verdict verdict) {
    double now = Records.now();
    boolean isBlocked = verdict instanceof Verdict.Blocked;
    boolean waits = isBlocked || verdict instanceof Verdict.Waits;
    waitsSinceSeconds = !waits ? Double.NaN : earliest(waitsSinceSeconds, now);
    blockedSinceSeconds = !isBlocked ? Double.NaN : earliest(blockedSinceSeconds, now);
    return switch (verdict) {
      case Verdict.Impossible(String why) -> why;
      case Verdict.Blocked(String why) when now >= blockedSinceSeconds + BLOCKED_SECONDS -> why;
      case Verdict.Blocked(String why) when now >= waitsSinceSeconds + WAITS_SECONDS -> why;
      case Verdict.Waits(String why) when now >= waitsSinceSeconds + WAITS_SECONDS -> why;
      default -> "";
    };
  }

  private static double earliest(double known, double now) {
    return Double.isNaN(known) ? now : known;
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
    fields.setProperty("cpus-per-gpu", Double.toString(cpusPerGpu));
    fields.setProperty("memory-gb-per-gpu", Double.toString(memoryGbPerGpu));
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
    record.cpusPerGpu = Double.parseDouble(fields.getProperty("cpus-per-gpu", "0"));
    record.memoryGbPerGpu = Double.parseDouble(fields.getProperty("memory-gb-per-gpu", "0"));
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
