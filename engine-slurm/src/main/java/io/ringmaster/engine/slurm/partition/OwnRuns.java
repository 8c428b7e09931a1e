package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.engine.slurm.client.SlurmJob;
import io.ringmaster.engine.slurm.client.SlurmNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Attempts of jobs that were submitted to the plane: batch jobs of ours. */
final class OwnRuns {
  private static final Logger LOG = LoggerFactory.getLogger(OwnRuns.class);

  /** So long sbatch may have been on its way after it did not answer. */
  private static final double LATE_SECONDS = 30;

  /** So long after all were killed the job itself is cancelled. */
  private static final double CANCEL_SECONDS = 10;

  private static final String STOPPED = "was stopped before it started";

  /** Codes above this are those of who was ended by a signal. */
  private static final int SIGNALLED = 128;

  private static final int KILLED = SIGNALLED + 9;

  private final String partition;
  private final Slurm slurm;
  private final PartitionFolder folder;
  private final Records records;
  private final Map<String, String> nodeAddresses = new HashMap<>();

  OwnRuns(String partition, Slurm slurm, PartitionFolder folder, Records records) {
    this.partition = partition;
    this.slurm = slurm;
    this.folder = folder;
    this.records = records;
  }

  void nodes(List<SlurmNode> nodes) {
    nodes.forEach(node -> nodeAddresses.put(node.name(), node.address()));
  }

  void launch(Launch launch) throws IOException {
    AttemptRecord record = new AttemptRecord(launch);
    record.tag = JobScript.tag(folder.name(), launch.attempt());
    new JobScript(folder, launch)
        .prepare(partition, record.tag, masterAddress(launch.allocation()));
    records.add(record);
    submit(record);
  }

  private String masterAddress(Allocation allocation) {
    String first = allocation.shares().getFirst().node();
    return nodeAddresses.getOrDefault(first, first);
  }

  private void submit(AttemptRecord record) throws IOException {
    record.triedSeconds = Records.now();
    Path path = folder.attempt(record.attempt);
    String id =
        slurm.submit(
            Files.readAllLines(path.resolve("options")), Files.readString(path.resolve("script")));
    record.address = id;
    records.save(record);
  }

  /**
   * Asks it to stop. Workers that have not begun find a file; a signal alone would be lost on them.
   */
  void askToStop(AttemptRecord record) throws IOException {
    folder.askToStop(record.attempt);
    if (folder.keepsFromBeginning(record.attempt)) {
      neverBegins(record, STOPPED);
    } else if (!record.address.isEmpty()) {
      slurm.signalSteps(record.address, JobScript.STOP_SIGNAL);
      record.signalled = true;
      records.save(record);
    }
  }

  private void neverBegins(AttemptRecord record, String why) throws IOException {
    records.end(record, new Status.Gone(why));
    if (!record.address.isEmpty()) {
      try {
        slurm.cancel(List.of(record.address));
      } catch (IOException e) {
        LOG.warn("job {} of Slurm will end when it starts: {}", record.address, e.getMessage());
      }
    }
  }

  void follow(AttemptRecord record, Queue queue, List<SlurmNode> nodes) throws IOException {
    @Nullable SlurmJob row = queue.of(record);
    if (row != null && record.address.isEmpty()) {
      record.address = row.address().replaceFirst("[+_].*", "");
      records.save(record);
    }
    if (row != null) {
      record.unknownSinceSeconds = Double.NaN;
    }
    if (folder.neverBegins(record.attempt)) {
      neverBegins(record, STOPPED);
    } else if (row == null) {
      missing(record, nodes);
    } else if (queue.parts(record).stream().allMatch(SlurmJob::isOver)) {
      ended(record, Verdict.of(row, 0, false));
    } else {
      goesOn(record, row, queue);
    }
  }

  private void goesOn(AttemptRecord record, SlurmJob row, Queue queue) throws IOException {
    if (record.isStopping() && !record.signalled) {
      askToStop(record);
    }
    if (!record.isLive()) {
      return;
    }
    Verdict verdict = Verdict.of(row, 0, false);
    String whyGivenUp = record.whyGivenUp(verdict);
    switch (verdict) {
      case Verdict.Waits(String _), Verdict.Blocked(String _) -> {
        if (!whyGivenUp.isEmpty() && folder.keepsFromBeginning(record.attempt)) {
          neverBegins(record, whyGivenUp);
        }
      }
      case Verdict.Runs() -> {
        if (!record.wasRunning && folder.hasBegun(record.attempt)) {
          record.wasRunning = true;
          records.save(record);
        }
        kill(record, queue);
      }
      case Verdict.Held() -> {
        if (Records.now() > record.triedSeconds + Runs.AGAIN_SECONDS) {
          record.triedSeconds = Records.now();
          slurm.release(record.address);
        }
      }
      case Verdict.Impossible(String why) -> {
        slurm.cancel(List.of(record.address));
        records.end(record, new Status.Exited(1, false, why));
      }
      default -> {}
    }
  }

  private void kill(AttemptRecord record, Queue queue) throws IOException {
    if (!record.isStopping() || Records.now() < record.killSeconds) {
      return;
    }
    if (!record.killed) {
      slurm.killSteps(queue.parts(record).stream().map(SlurmJob::id).toList());
      record.killed = true;
      records.save(record);
    } else if (Records.now() > record.killSeconds + CANCEL_SECONDS) {
      slurm.cancel(List.of(record.address));
    }
  }

  private void ended(AttemptRecord record, Verdict verdict) throws IOException {
    @Nullable Integer result = folder.result(record);
    boolean wasStopped = record.isStopping();
    boolean endedByItself = verdict instanceof Verdict.Ended(int _, String why) && why.isEmpty();
    if (result != null && (wasStopped || result == 0 || endedByItself)) {
      // Also if Slurm lost it later: slurmctld may have forgotten its end, and missed it.
      records.end(record, told(record, result));
    } else if (verdict instanceof Verdict.Lost(String why)) {
      records.end(record, new Status.Gone(why));
    } else if (verdict instanceof Verdict.Ended(int code, String why)
        && code != JobScript.NOT_THE_FIRST
        && folder.hasBegun(record.attempt)) {
      records.end(
          record,
          new Status.Exited(record.killed ? KILLED : code, wasStopped, wasStopped ? "" : why));
    } else {
      folder.keepsFromBeginning(record.attempt);
      records.end(record, new Status.Gone("Slurm ended it before it began"));
    }
  }

  /** How an attempt ended whose script, or whose workers, said so. */
  private Status.Phase told(AttemptRecord record, int result) {
    boolean hasFailed = folder.hasFailed(record.attempt);
    if (result != 0 && !record.isStopping() && !hasFailed && !folder.haveAllBegun(record)) {
      // The code is that of srun, as when slurmctld is away in the moment in which it asks.
      return new Status.Gone("Slurm could not start all its workers");
    }
    boolean wasKilled = record.killed && result != 0 && !hasFailed;
    return new Status.Exited(wasKilled ? KILLED : result, record.isStopping());
  }

  /** Slurm does not know it: it was never submitted, or has been forgotten. */
  private void missing(AttemptRecord record, List<SlurmNode> nodes) throws IOException {
    if (nodes.isEmpty()) {
      return;
    }
    if (folder.hasBegun(record.attempt)) {
      if (records.hasSettled(record, nodes)) {
        @Nullable Integer result = folder.result(record);
        // Slurm has nodes kill what it does not know.
        boolean wasKilledBySlurm = result != null && result > SIGNALLED && !record.isStopping();
        records.end(
            record,
            result == null || wasKilledBySlurm
                ? new Status.Gone("Slurm does not know it any more")
                : told(record, result));
      }
    } else if (record.address.isEmpty()
        && Records.now() <= record.triedSeconds + LATE_SECONDS
        && !record.isStopping()) {
      // sbatch did not answer, and may have been heard all the same.
      if (Records.now() > record.triedSeconds + Runs.AGAIN_SECONDS) {
        submit(record);
      }
    } else if (folder.keepsFromBeginning(record.attempt)) {
      records.end(record, new Status.Gone("Slurm does not know it, and it never began"));
    }
  }
}
