package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Effect;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobDescription;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.Store;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that people gave to the place itself. Each is taken up once, and from then on brought in
 * line with what the newest answer of the engine says of it: it may start or not, or is not there
 * any more. One that has ended for the plane must be over there too, and is withdrawn until it is.
 */
final class Arrivals {
  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

  private final Plane plane;
  private final Intake intake;
  private final Store store;

  /** Jobs that have not ended, by what the place calls them. */
  private final Map<String, Long> open = new HashMap<>();

  /** Those that have, as long as the place tells of them. */
  private final Map<String, Ended> ended = new HashMap<>();

  /** Since when the place does not tell of a job that waits. */
  private final Map<String, Double> missedSeconds = new HashMap<>();

  /** What is wrong with arrivals that cannot be taken up, as far as it was logged. */
  private final Set<String> refused = new HashSet<>();

  /**
   * A job that is over.
   *
   * @param order what was asked before says nothing about it
   */
  private record Ended(AttemptId attempt, long order) {}

  Arrivals(Plane plane, Intake intake, Store store) {
    this.plane = plane;
    this.intake = intake;
    this.store = store;
    plane.open().values().stream()
        .filter(job -> !job.arrival().isEmpty())
        .forEach(job -> open.put(job.arrival(), job.id()));
  }

  /** A job ended. */
  void ended(Job job) {
    if (!job.arrival().isEmpty()) {
      open.remove(job.arrival());
      missedSeconds.remove(job.arrival());
      ended.put(job.arrival(), new Ended(job.attemptId(), plane.order()));
    }
  }

  /**
   * The place told of all that it was given and that is not over.
   *
   * @param doneOrder all that was asked up to this one was carried out before
   */
  void told(List<Arrival> arrivals, long doneOrder) {
    Map<String, Arrival> there = new HashMap<>();
    arrivals.forEach(arrival -> there.put(arrival.id(), arrival));
    lookUp(there);
    // In the order of the place: who came first is first.
    for (Arrival arrival : arrivals) {
      told(arrival, doneOrder);
    }
    for (String id : List.copyOf(open.keySet())) {
      if (there.containsKey(id)) {
        missedSeconds.remove(id);
      } else {
        missed(id);
      }
    }
    ended
        .entrySet()
        .removeIf(each -> !there.containsKey(each.getKey()) && each.getValue().order() < doneOrder);
    refused.retainAll(there.keySet());
  }

  /** What is not known here may have ended long ago. */
  private void lookUp(Map<String, Arrival> there) {
    Set<String> unknown = new HashSet<>(there.keySet());
    unknown.removeAll(open.keySet());
    unknown.removeAll(ended.keySet());
    if (!unknown.isEmpty()) {
      store
          .ofArrivals(unknown)
          .forEach((id, taken) ->
              ended.put(id, new Ended(new AttemptId(taken.job(), 0), Long.MIN_VALUE)));
    }
  }

  private void told(Arrival arrival, long doneOrder) {
    Long number = open.get(arrival.id());
    Job job = number == null ? null : plane.open().get(number);
    Ended over = ended.get(arrival.id());
    boolean isOver = arrival.state() == Arrival.State.OVER;
    if (over != null) {
      if (!isOver && over.order() < doneOrder) {
        plane.outbox().effects.add(new Effect.Withdraw(over.attempt(), arrival.id()));
      }
    } else if (job == null) {
      if (!isOver && isSound(arrival)) {
        intake
            .arrive(arrival, plane.nowSeconds())
            .ifPresent(taken -> open.put(arrival.id(), taken));
      }
    } else if (isOver) {
      plane.apply(job, new JobEvent.Leave(arrival.why()));
    } else if (job.state().isWaiting()) {
      String why = intake.whyNotReady(arrival);
      if (!why.isEmpty()) {
        plane.apply(job, new JobEvent.Hold(why));
      } else if (job.state() == JobState.SUBMITTED) {
        plane.apply(job, new JobEvent.Release());
      }
    }
  }

  /** Whether it can be stored: what comes from a place is not checked by anybody else. */
  private boolean isSound(Arrival arrival) {
    try {
      if (!arrival.id().isEmpty()
          && !arrival.user().isEmpty()
          && JobSpecs.of(Json.parse(Json.text(JobDescription.of(arrival.spec()))))
              .equals(arrival.spec())) {
        return true;
      }
      refuse(arrival, "it cannot be stored as it is");
    } catch (BadInput e) {
      refuse(arrival, String.valueOf(e.getMessage()));
    }
    return false;
  }

  private void refuse(Arrival arrival, String why) {
    if (refused.add(arrival.id())) {
      LOG.warn(
          "{} of {} cannot be taken up: {}",
          JobSpecs.shown(arrival.id()),
          JobSpecs.shown(arrival.user()),
          why);
    }
  }

  /** An answer may have left out what is there: only who is missed for a while is gone. */
  private void missed(String id) {
    double now = plane.nowSeconds();
    double since = missedSeconds.computeIfAbsent(id, _ -> now);
    if (now >= since + plane.config().patienceSeconds()) {
      Job job = plane.open().get(open.get(id));
      if (job != null) {
        plane.apply(
            job,
            new JobEvent.Leave("is not there any more where it was submitted: cancelled there"));
      }
    }
  }
}
