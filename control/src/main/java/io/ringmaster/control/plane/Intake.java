package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What people ask for: checked, put into effect, and answered once it is stored. */
final class Intake {
  private final Plane plane;
  private final Store store;
  private final Map<String, Job> newKeys = new HashMap<>();

  /** Jobs that others wait for, and who waits. */
  private final Map<Long, Set<Long>> dependents = new HashMap<>();

  /** Jobs that wait, and how many others each waits for. */
  private final Map<Long, Set<Long>> needs = new HashMap<>();

  /** The most workers that a cluster holds, by what they ask for. */
  private final Map<Demand, Integer> most = new HashMap<>();

  private @Nullable Cluster counted;
  private final UserUsage usage;
  private long lastJob;

  Intake(Plane plane, Store store, long lastJob) {
    this.plane = plane;
    this.store = store;
    this.usage = new UserUsage(plane.config().limits(), plane.open().values());
    this.lastJob = lastJob;
  }

  /** Whether what users take is what their jobs add up to. */
  void checkAll() {
    usage.checkAll(plane.open().values());
  }

  /** After a start: what jobs wait for may have ended long ago. */
  void recheckDependencies() {
    List<Job> waiting =
        plane.open().values().stream()
            .filter(job -> job.state() == JobState.SUBMITTED && job.arrival().isEmpty())
            .toList();
    Set<Long> wanted = new HashSet<>();
    waiting.forEach(job -> wanted.addAll(job.spec().after()));
    Map<Long, JobState> states = store.states(wanted);
    for (Job job : waiting) {
      depend(job, states);
    }
  }

  /** Notes what a job waits for; releases or ends it if there is nothing to wait for. */
  private void depend(Job job, Map<Long, JobState> states) {
    Set<Long> unmet = new HashSet<>();
    for (long id : job.spec().after()) {
      JobState state = states.get(id);
      if (state != null && state.isEnd() && state != JobState.SUCCEEDED) {
        plane.apply(
            job,
            new JobEvent.Doom("job %d, which it depends on, is %s".formatted(id, state.text())));
        return;
      }
      if (state != JobState.SUCCEEDED) {
        unmet.add(id);
      }
    }
    if (unmet.isEmpty()) {
      plane.apply(job, new JobEvent.Release());
      return;
    }
    needs.put(job.id(), unmet);
    unmet.forEach(id -> dependents.computeIfAbsent(id, _ -> new HashSet<>()).add(job.id()));
  }

  /** A job reached its end: those that wait for it go on, or end too. */
  void ended(Job job) {
    usage.ended(job);
    Set<Long> own = needs.remove(job.id());
    if (own != null) {
      own.forEach(id -> dependents.getOrDefault(id, new HashSet<>()).remove(job.id()));
    }
    Set<Long> waiting = dependents.remove(job.id());
    if (waiting == null) {
      return;
    }
    for (long id : waiting.stream().sorted().toList()) {
      Job dependent = plane.open().get(id);
      Set<Long> unmet = needs.get(id);
      if (dependent == null || unmet == null) {
        continue;
      }
      if (job.state() != JobState.SUCCEEDED) {
        plane.apply(
            dependent,
            new JobEvent.Doom(
                "job %d, which it depends on, is %s".formatted(job.id(), job.state().text())));
      } else {
        unmet.remove(job.id());
        if (unmet.isEmpty()) {
          needs.remove(id);
          plane.apply(dependent, new JobEvent.Release());
        }
      }
    }
  }

  void submit(Message.Submit submit, double nowSeconds) {
    answer(
        submit.reply(),
        () -> {
          String key = submit.user() + "\n" + submit.key();
          if (!submit.key().isEmpty()) {
            Job known = newKeys.get(key);
            if (known == null) {
              known = store.jobOfKey(submit.user(), submit.key()).orElse(null);
            }
            if (known != null) {
              return known;
            }
          }
          usage.check(submit.user(), submit.role(), submit.spec());
          check(submit.user(), submit.spec());
          Map<Long, JobState> states =
              states(submit.spec().after(), submit.role() == Role.ADMIN ? "" : submit.user());
          Job job =
              Lifecycle.submitted(
                  ++lastJob, submit.user(), submit.key(), submit.spec(), nowSeconds);
          plane.accept(job);
          usage.opened(job);
          if (job.state() == JobState.SUBMITTED) {
            depend(job, states);
          }
          if (!submit.key().isEmpty()) {
            newKeys.put(key, job);
            plane.outbox().replies.add(newKeys::clear);
          }
          return Objects.requireNonNullElse(plane.open().get(job.id()), job);
        });
  }

  /**
   * Takes up a job that people gave to the place itself, which cannot be refused.
   *
   * @return its number; empty: its user has as many as are allowed, and it waits where it is
   */
  OptionalLong arrive(Arrival arrival, double nowSeconds) {
    if (usage.isFull(arrival.user(), arrival.spec())) {
      return OptionalLong.empty();
    }
    Job job =
        Lifecycle.arrived(
            ++lastJob,
            arrival.user(),
            arrival.id(),
            arrival.spec(),
            whyNotReady(arrival),
            nowSeconds);
    plane.accept(job);
    usage.opened(job);
    return OptionalLong.of(job.id());
  }

  /** Why a job that people gave to the place must not be launched now; empty: it may. */
  String whyNotReady(Arrival arrival) {
    if (arrival.state() != Arrival.State.READY) {
      return arrival.why().isEmpty() ? "is not ready where it was submitted" : arrival.why();
    }
    try {
      check(arrival.user(), arrival.spec());
      return "";
    } catch (BadInput e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * States of jobs that must exist, and can still succeed.
   *
   * @param user those of others are as if they did not exist; empty: of anybody
   */
  private Map<Long, JobState> states(List<Long> ids, String user) {
    Map<Long, JobState> states = new HashMap<>();
    List<Long> unknown = new ArrayList<>();
    for (long id : ids) {
      Job job = plane.open().get(id);
      if (job == null) {
        unknown.add(id);
      } else if (user.isEmpty() || user.equals(job.user())) {
        states.put(id, job.state());
      }
    }
    if (!unknown.isEmpty()) {
      states.putAll(store.states(unknown, user));
    }
    for (long id : ids) {
      JobState state = states.get(id);
      if (state == null) {
        throw new BadInput("after: there is no job %d".formatted(id));
      }
      if (state.isEnd() && state != JobState.SUCCEEDED) {
        throw new BadInput("after: job %d is %s".formatted(id, state.text()));
      }
    }
    return states;
  }

  private void check(String user, JobSpec spec) {
    PlaneConfig config = plane.config();
    Cluster cluster = plane.inventory().whole();
    if (!spec.model().isEmpty() && config.models().indexOf(spec.model()) < 0) {
      List<String> names = config.models().profiles().stream().map(m -> m.id()).toList();
      throw new BadInput(
          "model: no model is called '%s'; %s"
              .formatted(spec.model(), Settings.Nearest.hint(spec.model(), names)));
    }
    int most =
        mostWorkers(
            cluster,
            cluster.demand(
                NodeMarks.demand(spec, cluster), Lengths.profile(spec, config.models())));
    if (spec.gpus() > most) {
      throw new BadInput(
          "gpus: %d workers like these never fit; cluster %s holds %d"
              .formatted(spec.gpus(), cluster.name(), most));
    }
    Integer quota = config.quotaGpus().get(user);
    if (quota != null && spec.gpus() > quota) {
      throw new BadInput(
          "gpus: %d is above the quota of %s, %d".formatted(spec.gpus(), user, quota));
    }
  }

  /** Thousands of jobs that wait at the place ask for the same, with each look. */
  private int mostWorkers(Cluster cluster, Demand demand) {
    if (!cluster.equals(counted)) {
      counted = cluster;
      most.clear();
    }
    return most.computeIfAbsent(demand, cluster::mostWorkers);
  }

  void cancel(Message.Cancel cancel) {
    answer(
        cancel.reply(),
        () -> plane.apply(open(cancel.job()), new JobEvent.Cancel(cancel.by(), cancel.force())));
  }

  void prioritize(Message.Prioritize asked) {
    answer(
        asked.reply(),
        () -> {
          usage.checkPriority(asked.role(), asked.priority());
          return plane.apply(
              open(asked.job()), new JobEvent.Prioritize(asked.priority(), asked.by()));
        });
  }

  private Job open(long id) {
    Job job = plane.open().get(id);
    if (job != null) {
      return job;
    }
    JobState state = store.states(List.of(id)).get(id);
    throw state == null
        ? new Refused(Refused.Kind.NOT_FOUND, "there is no job %d".formatted(id))
        : new Refused(
            Refused.Kind.CONFLICT, "job %d has already ended: %s".formatted(id, state.text()));
  }

  private String known(String node) {
    List<String> names = plane.inventory().rows().stream().map(NodeRow::name).toList();
    return Settings.Nearest.to(node, names)
        .map("did you mean '%s'?"::formatted)
        .orElse("'ringmaster nodes' lists them");
  }

  void drain(Message.Drain drain) {
    answer(
        drain.reply(),
        () -> {
          NodeRow node = plane.inventory().row(drain.node());
          if (node == null) {
            throw new Refused(
                Refused.Kind.NOT_FOUND,
                "there is no node called '%s'; %s".formatted(drain.node(), known(drain.node())));
          }
          NodeRow after =
              new NodeRow(node.node(), drain.drained(), drain.drained() ? drain.reason() : "");
          plane.inventory().put(after);
          plane.outbox().put(after);
          plane.scheduler().nodesChanged();
          return after;
        });
  }

  void setPolicy(Message.SetPolicy set) {
    answer(
        set.reply(),
        () -> {
          plane.scheduler().choose(set.name(), set.settings());
          String settings = Json.text(set.settings());
          plane.outbox().put(ChosenPolicy.POLICY, set.name());
          plane.outbox().put(ChosenPolicy.SETTINGS, settings);
          plane.outbox().put(ChosenPolicy.ERROR, "");
          return Map.of(ChosenPolicy.POLICY, set.name(), ChosenPolicy.SETTINGS, settings);
        });
  }

  /** Answers after the step is stored; at once if it is refused. */
  private <T> void answer(CompletableFuture<T> reply, Supplier<T> request) {
    T answer;
    try {
      answer = request.get();
    } catch (BadInput | Refused e) {
      reply.completeExceptionally(e);
      return;
    }
    plane.outbox().replies.add(() -> reply.complete(answer));
  }
}
