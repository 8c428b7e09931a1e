package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Arrival.State;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs that people gave to a simulated engine itself, and not to the plane. */
final class GivenJobs {
  private final Map<String, Given> jobs = new LinkedHashMap<>();

  /** One of them, as the place knows it. */
  static final class Given {
    private final String id;
    private final String user;
    private final JobSpec spec;
    private State state;
    private boolean hidden;
    private boolean wasDone;
    private @Nullable AttemptId attempt;

    private Given(String id, String user, JobSpec spec, State state) {
      this.id = id;
      this.user = user;
      this.spec = spec;
      this.state = state;
    }

    String id() {
      return id;
    }

    String user() {
      return user;
    }

    JobSpec spec() {
      return spec;
    }

    boolean isOver() {
      return state == State.OVER;
    }

    /** Whether its own program ended it, with 0. */
    boolean wasDone() {
      return wasDone;
    }

    /** The last attempt that ran it. */
    @Nullable AttemptId attempt() {
      return attempt;
    }
  }

  void give(String id, String user, JobSpec spec, boolean isReady) {
    jobs.put(id, new Given(id, user, spec, isReady ? State.READY : State.WAITS));
  }

  @Nullable Given find(String id) {
    return jobs.get(id);
  }

  Collection<Given> all() {
    return jobs.values();
  }

  /** May it start, as far as the place is concerned? */
  void ready(String id, boolean may) {
    @Nullable Given given = jobs.get(id);
    if (given != null && !given.isOver()) {
      given.state = may ? State.READY : State.WAITS;
    }
  }

  /** Whether an attempt may begin to run it; from then on it is that attempt's. */
  boolean begin(String id, AttemptId attempt) {
    @Nullable Given given = jobs.get(id);
    if (given == null || given.state != State.READY) {
      return false;
    }
    given.attempt = attempt;
    return true;
  }

  /** A job that was withdrawn may still end by itself before its stop gets through. */
  void end(String id, boolean isDone) {
    @Nullable Given given = jobs.get(id);
    if (given != null) {
      given.state = State.OVER;
      given.wasDone |= isDone;
    }
  }

  void hide(String id, boolean hides) {
    @Nullable Given given = jobs.get(id);
    if (given != null) {
      given.hidden = hides;
    }
  }

  /** What is told. Of those that are over, some are told for ever, and some not at all. */
  List<Arrival> told() {
    List<Arrival> told = new ArrayList<>();
    for (Given given : jobs.values()) {
      if (!given.hidden && !(given.isOver() && given.id.hashCode() % 2 == 0)) {
        String why = given.state == State.READY ? "" : "is " + given.state;
        told.add(new Arrival(given.id, given.user, given.spec, given.state, why));
      }
    }
    return told;
  }
}
