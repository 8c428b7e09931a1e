package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Effect;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Status;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Compares what the store says with what the engine says, and is the only one that mends a
 * difference.
 */
final class Reconciler {
  private final Plane plane;
  private final Arrivals arrivals;
  private final double patienceSeconds;
  private final long firstOrder;
  private final Map<AttemptId, LastCommand> asked = new HashMap<>();
  private long newestOrder;

  /** The last command about an attempt, or the last that was sent before it was seen. */
  private record LastCommand(long order, double seconds) {}

  /**
   * Starts with no memory of what was asked.
   *
   * @param firstOrder what the engine told before this is not trusted to be complete
   */
  Reconciler(Plane plane, Arrivals arrivals, double patienceSeconds, long firstOrder) {
    this.plane = plane;
    this.arrivals = arrivals;
    this.patienceSeconds = patienceSeconds;
    this.firstOrder = firstOrder;
  }

  void asked(AttemptId attempt, long order, double nowSeconds) {
    if (plane.open().containsKey(attempt.job())) {
      asked.put(attempt, new LastCommand(order, nowSeconds));
    }
  }

  void seen(Status status) {
    Job job = plane.open().get(status.attempt().job());
    if (job == null) {
      // Of a job that has ended, or never was.
      plane
          .outbox()
          .effects
          .add(
              status.phase().isEnd()
                  ? new Effect.Forget(status.attempt())
                  : new Effect.Stop(status.attempt()));
    } else {
      plane.apply(job, new JobEvent.Seen(status));
    }
    if (status.phase().isEnd()) {
      asked.remove(status.attempt());
    } else if (job != null && job.attemptId().equals(status.attempt())) {
      // What was asked before now, and is answered late, says nothing about it.
      asked(status.attempt(), plane.order(), plane.nowSeconds());
    }
  }

  void observed(Report.Observed observed) {
    boolean isNewest = observed.order() > newestOrder;
    if (isNewest) {
      newestOrder = observed.order();
      nodes(observed.snapshot().nodes());
    }
    Set<AttemptId> told = new HashSet<>();
    boolean known = observed.snapshot().attempts().stream().allMatch(this::isKnown);
    for (Status status : observed.snapshot().attempts()) {
      told.add(status.attempt());
      seen(status);
    }
    if (isNewest && observed.doneOrder() > firstOrder) {
      arrivals.told(observed.snapshot().arrivals(), observed.doneOrder());
    }
    if (observed.doneOrder() <= firstOrder) {
      return;
    }
    if (known) {
      plane.allSeen();
    }
    for (Job job : List.copyOf(plane.open().values())) {
      if (job.state().holdsGpus() && !told.contains(job.attemptId())) {
        missing(job, observed.doneOrder());
      }
    }
  }

  /** Whether an attempt is over, or one that the store thinks is under way. */
  private boolean isKnown(Status status) {
    Job job = plane.open().get(status.attempt().job());
    return status.phase().isEnd()
        || (job != null && job.state().holdsGpus() && job.attemptId().equals(status.attempt()));
  }

  /** An answer counts only if it was asked for after the last that is known of the attempt. */
  private void missing(Job job, long doneOrder) {
    LastCommand last = asked.get(job.attemptId());
    boolean isOld = last != null && last.order() > doneOrder;
    boolean isFresh =
        last != null
            && job.state() != JobState.RUNNING
            && plane.nowSeconds() < last.seconds() + patienceSeconds;
    if (!isOld && !isFresh) {
      plane.apply(job, new JobEvent.Missing());
    }
  }

  private void nodes(List<Node> told) {
    Inventory.Change change = plane.inventory().observe(told, this::usedNodes);
    if (!change.isEmpty()) {
      change.rows().forEach(plane.outbox()::put);
      change.gone().forEach(plane.outbox()::forgetNode);
      plane.scheduler().nodesChanged();
    }
  }

  private Set<String> usedNodes() {
    Set<String> used = new HashSet<>();
    for (Job job : plane.open().values()) {
      Stream.of(job.held(), job.target())
          .filter(Objects::nonNull)
          .flatMap(allocation -> allocation.shares().stream())
          .forEach(share -> used.add(share.node()));
    }
    return used;
  }
}
