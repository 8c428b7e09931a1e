package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.engine.slurm.client.SlurmJob;
import io.ringmaster.engine.slurm.client.SlurmNode;
import io.ringmaster.engine.slurm.client.SlurmRun;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts of people's own jobs: given their nodes, released, and put back when they are to stop.
 */
final class ArrivedRuns {
  private static final Logger LOG = LoggerFactory.getLogger(ArrivedRuns.class);

  /** Times of Slurm are whole seconds, and its clock may be another. */
  private static final double CLOCKS_SECONDS = 5;

  /**
   * A node that is to start a job in the second in which it ended its last run refuses, since that
   * run's credential is revoked, and Slurm tells the job as failed.
   */
  private static final double REVOKED_SECONDS = 2;

  /** As many tasks of an array run as may at once. */
  private static final String ARRAY_IS_FULL = "JobArrayTaskLimit";

  /** As a shell tells of one that was ended by TERM. */
  private static final int STOPPED_CODE = 128 + 15;

  private final String signal;
  private final Slurm slurm;
  private final PartitionFolder folder;
  private final PeoplesJobs people;
  private final Records records;

  ArrivedRuns(
      String signal, Slurm slurm, PartitionFolder folder, PeoplesJobs people, Records records) {
    this.signal = signal;
    this.slurm = slurm;
    this.folder = folder;
    this.people = people;
    this.records = records;
  }

  void launch(Launch launch) throws IOException {
    AttemptRecord record = new AttemptRecord(launch);
    record.address = PeoplesJobs.address(record.arrival);
    @Nullable SlurmJob row = row(record);
    if (row == null || !row.isWaiting()) {
      record.end =
          new Status.Gone(
              row == null ? "is not there in Slurm any more" : "does not wait in Slurm any more");
      records.add(record);
      return;
    }
    record.restarts = row.restarts();
    record.number = record.address.indexOf('_') < 0 ? row.id() : 0;
    folder.saveArrival(record.address, record.arrival);
    people.launched(record.address, record.arrival);
    records.add(record);
    release(record, row);
  }

  /**
   * As it was when all were last looked at, without asking again: what changed since then is
   * refused, or seen soon.
   */
  private @Nullable SlurmJob row(AttemptRecord record) throws IOException {
    SlurmJob last = people.seen(record.address);
    if (last != null && people.id(last).equals(record.arrival)) {
      return last;
    }
    return slurm.jobs(Set.of(record.address)).stream()
        .filter(job -> people.id(job).equals(record.arrival))
        .findAny()
        .orElse(null);
  }

  /** One call that shapes and places it, and one that lets it go. */
  private void release(AttemptRecord record, SlurmJob row) throws IOException {
    record.triedSeconds = Records.now();
    Allocation allocation = Objects.requireNonNull(record.allocation);
    slurm.update(record.address, people.request(row).placed(allocation, start(row)));
    // Before it is asked: from now on it may run, whatever is heard of it.
    record.releasedSeconds = Records.now();
    records.save(record);
    slurm.release(record.address);
  }

  /** When a job that was requeued may start; empty: it was not. */
  private static String start(SlurmJob row) {
    if (row.restarts() == 0) {
      return "";
    }
    return Records.now() < row.submitSeconds() + REVOKED_SECONDS ? "now+2" : "now";
  }

  void askToStop(AttemptRecord record) throws IOException {
    if (!record.wasRunning) {
      slurm.hold(Set.of(record.address));
      record.heldBack = true;
    } else if (!signal.isEmpty()) {
      slurm.signalScript(record.address, signal);
      record.signalled = true;
      records.save(record);
    }
  }

  void follow(AttemptRecord record, Queue queue, List<SlurmNode> nodes) throws IOException {
    @Nullable SlurmJob row = queue.of(record);
    Verdict verdict = Verdict.of(row, record.restarts, record.wasRunning);
    String whyGivenUp = record.whyGivenUp(verdict);
    switch (verdict) {
      case Verdict.Waits(String _), Verdict.Blocked(String _), Verdict.Impossible(String _) -> {
        if (!record.isStopping() && !whyGivenUp.isEmpty()) {
          record.whyHeldBack = whyGivenUp;
        }
        if (record.isStopping() || !whyGivenUp.isEmpty()) {
          askToStop(record);
        }
      }
      case Verdict.Held() -> held(record, Objects.requireNonNull(row), nodes);
      case Verdict.Runs() -> runs(record, Objects.requireNonNull(row));
      case Verdict.Forgotten(String why) -> forgotten(record, row, why, nodes);
      case Verdict.Ended(int code, String why) -> ended(record, code, why);
      case Verdict.Lost(String why) -> records.end(record, new Status.Gone(why));
      case Verdict.Requeued(String why) -> requeued(record, why);
    }
    boolean isKnown = !(verdict instanceof Verdict.Forgotten) && !(verdict instanceof Verdict.Held);
    if (isKnown) {
      record.unknownSinceSeconds = Double.NaN;
    }
  }

  /** Held, and never seen to run. If it was released once, it may have run all the same. */
  private void held(AttemptRecord record, SlurmJob row, List<SlurmNode> nodes) throws IOException {
    if (record.heldBack || (record.isStopping() && !record.wasReleased())) {
      slurm.update(record.address, people.request(row).asAsked());
      records.end(record, heldBack(record));
    } else if (record.wasReleased()) {
      forgotten(record, row, "was held again in Slurm", nodes);
    } else if (Records.now() > record.triedSeconds + Runs.AGAIN_SECONDS) {
      release(record, row);
    }
  }

  /**
   * It never ran. That Slurm did not take it is no fault of the job's, however often it happens.
   */
  private Status.Phase heldBack(AttemptRecord record) {
    if (record.isStopping()) {
      return new Status.Gone("was stopped before it started");
    }
    // Its owner may have changed what it asks for.
    slurm.lookAgain(record.address);
    if (record.whyHeldBack.contains(ARRAY_IS_FULL)) {
      people.isFull(record.address);
    }
    String why = record.whyHeldBack;
    return new Status.Exited(
        STOPPED_CODE, true, why.isEmpty() ? "was held again before it started" : why);
  }

  private void forgotten(
      AttemptRecord record, @Nullable SlurmJob row, String why, List<SlurmNode> nodes)
      throws IOException {
    if (row != null && !row.isHeld()) {
      slurm.hold(Set.of(record.address));
    }
    if (records.hasSettled(record, nodes)) {
      records.end(record, accounted(record, new Status.Gone(why)));
    }
  }

  private void requeued(AttemptRecord record, String why) throws IOException {
    records.end(
        record,
        record.killed ? new Status.Exited(143, true) : accounted(record, new Status.Gone(why)));
  }

  /**
   * How a run ended that slurmctld forgot: when it is killed it loses its last seconds, and what
   * ended in them would be done again. What keeps accounts of ended jobs has it.
   *
   * @param otherwise nothing is known there of its end
   */
  private Status.Phase accounted(AttemptRecord record, Status.Phase otherwise) {
    if (!record.wasReleased() || record.number == 0) {
      return otherwise;
    }
    try {
      for (SlurmRun run : slurm.endedRuns(record.number)) {
        if (run.startSeconds() >= record.releasedSeconds - CLOCKS_SECONDS && run.endedByItself()) {
          return new Status.Exited(run.exitCode(), false, run.why());
        }
      }
    } catch (IOException e) {
      LOG.debug("nothing is known of how job {} ended: {}", record.address, e.getMessage());
    }
    return otherwise;
  }

  private void ended(AttemptRecord record, int code, String why) throws IOException {
    if (record.signalled && !record.forGood) {
      // It left when it was asked to: it goes on later.
      slurm.requeueHold(record.address);
      records.end(record, new Status.Exited(code, true));
    } else {
      records.end(record, new Status.Exited(code, record.killed && record.forGood, why));
    }
  }

  private void runs(AttemptRecord record, SlurmJob row) throws IOException {
    if (!record.wasRunning && row.state().equals("R")) {
      record.wasRunning = true;
      record.number = row.id();
      records.save(record);
      // It goes on, and if somebody else requeues it, it comes back held.
      slurm.hold(Set.of(record.address));
    }
    if (!record.isStopping() || record.killed) {
      return;
    }
    boolean hasGrace = !signal.isEmpty() && Records.now() < record.killSeconds;
    if (hasGrace && record.wasRunning && !record.signalled) {
      askToStop(record);
    } else if (!hasGrace) {
      if (record.forGood || !row.isBatch()) {
        slurm.cancel(List.of(record.address));
      } else {
        if (!row.mayRequeue()) {
          slurm.update(record.address, List.of("requeue=1"));
        }
        slurm.requeueHold(record.address);
      }
      record.killed = true;
      records.save(record);
    }
  }
}
