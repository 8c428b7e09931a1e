package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node.Held;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.engine.slurm.client.SlurmJob;
import io.ringmaster.engine.slurm.client.SlurmNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts, and the jobs of Slurm that run them. Guarded by itself. What is asked is written down
 * first, and asked again at each look until Slurm has heard it.
 */
final class Runs {
  private static final Logger LOG = LoggerFactory.getLogger(Runs.class);

  /** What did not happen is tried again after so long. */
  static final double AGAIN_SECONDS = 2;

  private final Slurm slurm;
  private final PartitionFolder folder;
  private final PeoplesJobs people;
  private final Records records;
  private final OwnRuns own;
  private final ArrivedRuns arrived;

  Runs(PartitionSettings settings, Slurm slurm, PartitionFolder folder, PeoplesJobs people)
      throws IOException {
    this.slurm = slurm;
    this.folder = folder;
    this.people = people;
    this.records = new Records(folder, settings.settleSeconds());
    this.own = new OwnRuns(settings.partition(), slurm, folder, records);
    this.arrived = new ArrivedRuns(settings.signal(), slurm, folder, people, records);
  }

  synchronized void listen(Consumer<Status> listener) {
    records.listen(listener);
  }

  @Nullable AttemptRecord find(AttemptId attempt) {
    return records.find(attempt);
  }

  List<Status> statuses() {
    return records.statuses();
  }

  /** What Slurm calls the jobs of attempts that have not ended, as far as that is known. */
  Set<String> addresses() {
    Set<String> addresses = new HashSet<>();
    records.live().forEach(record -> addresses.add(record.address));
    addresses.remove("");
    return addresses;
  }

  /** Whether a job was submitted by this server. */
  boolean isTagged(SlurmJob job) {
    return job.comment().startsWith(JobScript.TAG + folder.name() + "/");
  }

  /** People's jobs that attempts run which have not ended, by what Slurm calls them. */
  Map<String, AttemptRecord> arrived() {
    Map<String, AttemptRecord> arrived = new HashMap<>();
    for (AttemptRecord record : records.live()) {
      if (record.isArrival()) {
        arrived.put(record.address, record);
      }
    }
    return arrived;
  }

  /**
   * What attempts have, by node: as the plane counts it, or as Slurm does where that is more. A job
   * that does not say how many CPUs it wants is given some.
   */
  Map<String, Held> held(Queue queue) {
    Map<String, Held> held = new HashMap<>();
    for (AttemptRecord record : records.live()) {
      Allocation allocation = record.allocation;
      SlurmJob job = queue.of(record);
      if (allocation != null && job != null && job.hasProcesses()) {
        for (Allocation.Share share : allocation.shares()) {
          int gpus = share.gpus();
          double cpus = job.needs().cpus() / allocation.shares().size();
          double memoryBytes = job.needs().memoryBytes() / allocation.shares().size();
          Held part =
              new Held(
                  gpus,
                  Math.max(cpus, gpus * record.cpusPerGpu),
                  Math.max(memoryBytes, gpus * record.memoryGbPerGpu * 1e9));
          held.merge(share.node(), part, Held::plus);
        }
      }
    }
    return held;
  }

  void launch(Launch launch) throws IOException {
    if (launch.arrival().isEmpty()) {
      own.launch(launch);
    } else {
      arrived.launch(launch);
    }
  }

  void stop(AttemptId attempt, double graceSeconds) throws IOException {
    @Nullable AttemptRecord record = records.find(attempt);
    if (record == null) {
      AttemptRecord tombstone = new AttemptRecord(attempt, "", null);
      tombstone.end = new Status.Gone("was never started");
      records.add(tombstone);
      return;
    }
    double kill = Records.now() + graceSeconds;
    if (!record.isLive() || (record.isStopping() && kill >= record.killSeconds)) {
      return;
    }
    boolean isFirst = !record.isStopping() && !folder.hasFailed(attempt);
    record.killSeconds = Math.min(record.killSeconds, kill);
    if (isFirst) {
      record.stopSeconds = Records.now();
    }
    records.save(record);
    if (isFirst && record.isArrival()) {
      arrived.askToStop(record);
    } else if (isFirst) {
      own.askToStop(record);
    }
    if (graceSeconds <= 0) {
      poll();
    }
  }

  /** Whether an attempt runs a job that is to end for good: then it is cancelled with it. */
  boolean endsForGood(String arrival) throws IOException {
    for (AttemptRecord record : records.live()) {
      if (record.arrival.equals(arrival)) {
        record.forGood = true;
        records.save(record);
        return record.isStopping();
      }
    }
    return false;
  }

  void forget(AttemptId attempt) throws IOException {
    records.forget(attempt);
  }

  /** Looks at attempts that have not ended. */
  synchronized void poll() throws IOException {
    Set<String> ids = addresses();
    if (!ids.isEmpty()) {
      follow(new Queue(slurm.jobs(ids), people), List.of());
    }
  }

  /**
   * Brings attempts in line with what Slurm says.
   *
   * @param queue all of the partition, or jobs of attempts
   * @param nodes empty: nobody looked; what Slurm does not know is then left for later
   */
  void follow(Queue queue, List<SlurmNode> nodes) {
    own.nodes(nodes);
    for (AttemptRecord record : records.live()) {
      try {
        if (record.isArrival()) {
          arrived.follow(record, queue, nodes);
        } else {
          own.follow(record, queue, nodes);
        }
      } catch (IOException e) {
        // One that cannot be helped now must not keep the others from it.
        LOG.warn("attempt {}: {}", record.attempt, e.getMessage());
      }
      records.tell(record);
    }
  }
}
