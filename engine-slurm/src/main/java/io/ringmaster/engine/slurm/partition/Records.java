package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.job.Status.Phase;
import io.ringmaster.engine.slurm.client.SlurmNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is known of attempts, on disk before anybody is told. Guarded by {@link Runs}. */
final class Records {
  private final PartitionFolder folder;
  private final double settleSeconds;
  private final Map<AttemptId, AttemptRecord> records;
  private Consumer<Status> changes = status -> {};

  Records(PartitionFolder folder, double settleSeconds) throws IOException {
    this.folder = folder;
    this.settleSeconds = settleSeconds;
    this.records = folder.load();
  }

  void listen(Consumer<Status> listener) {
    changes = listener;
  }

  @Nullable AttemptRecord find(AttemptId attempt) {
    return records.get(attempt);
  }

  List<AttemptRecord> live() {
    return records.values().stream().filter(AttemptRecord::isLive).toList();
  }

  List<Status> statuses() {
    return records.values().stream().map(this::status).toList();
  }

  private Status status(AttemptRecord record) {
    // Of people's jobs nothing is here.
    return record.isArrival()
        ? new Status(record.attempt, record.phase())
        : new Status(
            record.attempt,
            record.phase(),
            folder.doneShare(record.attempt),
            folder.hasSaved(record.attempt.job()));
  }

  void add(AttemptRecord record) throws IOException {
    folder.save(record);
    records.put(record.attempt, record);
    tell(record);
  }

  void save(AttemptRecord record) throws IOException {
    folder.save(record);
  }

  void forget(AttemptId attempt) throws IOException {
    folder.remove(attempt);
    records.remove(attempt);
  }

  void end(AttemptRecord record, Phase phase) throws IOException {
    record.end = phase;
    try {
      folder.save(record);
    } catch (IOException e) {
      record.end = null;
      throw e;
    }
    tell(record);
  }

  /** Tells the one who listens what is new. */
  void tell(AttemptRecord record) {
    Phase phase = record.phase();
    if (!phase.equals(record.told)) {
      record.told = phase;
      changes.accept(status(record));
    }
  }

  /**
   * Whether a run that Slurm does not know of is surely over: its nodes respond, so that Slurm has
   * told them what must not run there, and they have had time to end it.
   */
  boolean hasSettled(AttemptRecord record, List<SlurmNode> nodes) {
    if (nodes.isEmpty()) {
      return false;
    }
    Allocation allocation = record.allocation;
    var responding =
        nodes.stream()
            .filter(SlurmNode::isResponding)
            .map(SlurmNode::name)
            .collect(Collectors.toSet());
    boolean areTold =
        allocation == null
            || allocation.shares().stream().allMatch(share -> responding.contains(share.node()));
    if (!areTold) {
      record.unknownSinceSeconds = Double.NaN;
      return false;
    }
    if (Double.isNaN(record.unknownSinceSeconds)) {
      record.unknownSinceSeconds = now();
    }
    return now() >= record.unknownSinceSeconds + settleSeconds;
  }

  static double now() {
    return System.currentTimeMillis() * 1e-3;
  }
}
