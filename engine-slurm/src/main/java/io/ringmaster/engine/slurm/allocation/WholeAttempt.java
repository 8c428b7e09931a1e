package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.local.AttemptFolder;
import io.ringmaster.engine.local.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An attempt that is made of parts on several nodes. Guarded by the engine's lock. */
final class WholeAttempt {
  private static final String PARTS = "parts";
  private static final String LAUNCHED = "launched";
  private static final String STOPPED = "stopped";

  /** What of it is on a node. */
  static final class PartOfIt {
    final String node;
    final int firstRank;
    final int gpus;

    /** What its agent last said; null: nothing. */
    @Nullable Status status;

    /** When its agent said that it has it. */
    long launchedNanos = Long.MAX_VALUE;

    /** When it was last asked to stop because of the others. */
    long askedNanos;

    PartOfIt(String node, int firstRank, int gpus) {
      this.node = node;
      this.firstRank = firstRank;
      this.gpus = gpus;
    }

    boolean isOver() {
      return status != null && status.phase().isEnd();
    }
  }

  final AttemptFolder folder;
  final List<PartOfIt> parts;
  final double graceSeconds;
  Status.Phase phase = new Status.Pending();
  double doneShare = Double.NaN;
  boolean saved;

  /** Somebody is at it: nobody else interferes. */
  boolean launching;

  /** The least grace that somebody asked to stop it with; NaN: nobody did. */
  double stopGraceSeconds = Double.NaN;

  /** Why it must not go on although nobody asked; null: it may. */
  @Nullable String doom;

  /** Why the engine itself asked it to stop, with its grace; null: it did not. */
  @Nullable String withdrawn;

  WholeAttempt(AttemptFolder folder, List<PartOfIt> parts, double graceSeconds) {
    this.folder = folder;
    this.parts = List.copyOf(parts);
    this.graceSeconds = graceSeconds;
  }

  /** One that is about to be launched, put down for good. */
  static WholeAttempt create(AttemptFolder folder, Launch launch) throws IOException {
    List<PartOfIt> parts = new ArrayList<>();
    List<Map<String, Object>> rows = new ArrayList<>();
    int rank = 0;
    for (Allocation.Share share : launch.allocation().shares()) {
      parts.add(new PartOfIt(share.node(), rank, share.gpus()));
      rows.add(Map.of("node", share.node(), "first", rank, "gpus", share.gpus()));
      rank += share.gpus();
    }
    folder.create();
    DataFolder.write(
        folder.path().resolve(PARTS),
        Message.of("grace", launch.spec().graceSeconds(), "parts", rows).json());
    return new WholeAttempt(folder, parts, launch.spec().graceSeconds());
  }

  /** One that an earlier server left. */
  static WholeAttempt load(AttemptFolder folder) throws IOException {
    Status end = folder.end();
    if (end != null) {
      WholeAttempt ended = read(folder);
      ended.phase = end.phase();
      ended.doneShare = end.doneShare();
      ended.saved = folder.hasCheckpoint();
      return ended;
    }
    WholeAttempt attempt = read(folder);
    if (Files.exists(folder.path().resolve(LAUNCHED))) {
      attempt.parts.forEach(part -> part.launchedNanos = System.nanoTime());
      // It may have been told as running, and never goes back.
      attempt.phase = new Status.Running();
    } else {
      attempt.doom = "the server ended while it was being started";
    }
    return attempt;
  }

  private static WholeAttempt read(AttemptFolder folder) throws IOException {
    List<PartOfIt> parts = new ArrayList<>();
    try {
      Message message = Message.parse(Files.readString(folder.path().resolve(PARTS)));
      for (Message part : message.parts("parts")) {
        parts.add(
            new PartOfIt(part.text("node"), (int) part.whole("first"), (int) part.whole("gpus")));
      }
      return new WholeAttempt(folder, parts, message.number("grace"));
    } catch (NoSuchFileException e) {
      return new WholeAttempt(folder, parts, 0);
    }
  }

  AttemptId id() {
    return folder.attempt();
  }

  Status status() {
    return new Status(id(), phase, doneShare, saved);
  }

  /** All parts are launched: the next server need not wonder. */
  void launched() throws IOException {
    DataFolder.put(folder.path().resolve(LAUNCHED), "");
  }

  @Nullable PartOfIt part(String node) {
    return parts.stream().filter(part -> part.node.equals(node)).findAny().orElse(null);
  }

  /** Takes in what an agent says of a part. An end is never taken back. */
  void take(PartOfIt part, Status told) {
    if (part.isOver()) {
      return;
    }
    part.status = told;
    doneShare = Double.isNaN(told.doneShare()) ? doneShare : told.doneShare();
    saved |= told.saved();
    if (phase instanceof Status.Pending
        && doom == null
        && parts.stream()
            .allMatch(
                each -> each.status != null && !(each.status.phase() instanceof Status.Pending))
        && parts.stream().anyMatch(each -> !each.isOver())) {
      phase = new Status.Running();
    }
  }

  /** Whether some part ended in a way that the others must not outlive. */
  boolean mustEnd() {
    return doom != null
        || parts.stream()
            .map(part -> part.status)
            .filter(Objects::nonNull)
            .anyMatch(status ->
                switch (status.phase()) {
                  case Status.Exited exited -> exited.code() != 0 || exited.stopped();
                  case Status.Gone _ -> true;
                  case Status.Pending _, Status.Running _ -> false;
                });
  }

  /** What the parts that are left are given then: no less than somebody gave them before. */
  double lastGraceSeconds() {
    if (doom != null) {
      return 0;
    }
    return Double.isNaN(stopGraceSeconds) ? graceSeconds : Math.max(graceSeconds, stopGraceSeconds);
  }

  /** Notes that it was asked to stop, also for the next server. */
  void stopAsked(double seconds) throws IOException {
    if (Double.isNaN(stopGraceSeconds)) {
      DataFolder.put(folder.path().resolve(STOPPED), "");
    }
    stopGraceSeconds =
        Double.isNaN(stopGraceSeconds) ? seconds : Math.min(seconds, stopGraceSeconds);
  }

  boolean isOver() {
    return parts.stream().allMatch(PartOfIt::isOver);
  }

  /** Why it was stopped, if the plane did not ask for that; empty: it did. */
  String whyStopped() {
    if (withdrawn != null) {
      return withdrawn;
    }
    return Files.exists(folder.path().resolve(STOPPED))
        ? ""
        : "Slurm, or somebody on its nodes, asked its processes to end";
  }
}
