package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.store.Loaded;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Explains from what is stored, with the very classes that decide, and without being in their way.
 */
public final class StoreExplainer implements Explainer {
  private final PlaneConfig config;
  private final Store store;
  private final DoubleSupplier clock;
  private @Nullable Learned learned;

  private record Learned(List<Job> finished, Lengths lengths) {}

  public StoreExplainer(PlaneConfig config, Store store, DoubleSupplier clock) {
    this.config = config;
    this.store = store;
    this.clock = clock;
  }

  @Override
  public Optional<Explanation> explain(long id) {
    Optional<Job> known = store.job(id);
    if (known.isEmpty() || known.get().state().isEnd()) {
      return known.map(job ->
          new Explanation(
              job,
              List.of("it is over: %s, %s".formatted(job.state().text(), job.reason())),
              0,
              Double.NaN,
              Double.NaN,
              ""));
    }
    Loaded loaded = store.load();
    Map<Long, Job> jobs = new HashMap<>();
    loaded.open().forEach(job -> jobs.put(job.id(), job));
    Job job = jobs.get(id);
    // It may have ended between the two reads.
    return job == null ? explain(id) : Optional.of(explain(job, jobs, loaded));
  }

  @Override
  public Expected expected() {
    ExpectedCost starts = new ExpectedCost(config.cluster().startSeconds());
    ExpectedCost restarts = new ExpectedCost(config.cluster().restartSeconds());
    for (Measured measured : store.measured()) {
      switch (measured.kind()) {
        case START -> starts.add(measured);
        case RESTART -> restarts.add(measured);
        case SPEED -> {}
      }
    }
    return new Expected(starts.expectedSeconds(), restarts.expectedSeconds());
  }

  private Explanation explain(Job job, Map<Long, Job> jobs, Loaded loaded) {
    double now = clock.getAsDouble();
    Experience experience = new Experience(config, loaded, lengths(loaded.finished()));
    Capacity capacity =
        new Capacity(new Inventory(config, loaded.nodes()), experience, jobs.values(), Set.of());
    Lifecycle lifecycle = new Lifecycle(config.mostLosses());
    jobs.replaceAll((_, j) ->
        capacity.isDisplaced(j)
            ? lifecycle.step(j, new JobEvent.Assign(null, 1, j.reason()), now).job()
            : j);
    ChosenPolicy chosen = ChosenPolicy.of(loaded.settings(), config);
    AdmittedJobs admitted = chosen.admit(config, capacity, jobs, experience, now, 0);
    PolicyHost host = admitted.host();
    List<String> why = new ArrayList<>();
    String failure = loaded.settings().getOrDefault(ChosenPolicy.ERROR, "");
    if (!failure.isEmpty()) {
      why.add(
          "%s; %s decides until another policy is chosen"
              .formatted(failure, ChosenPolicy.FALLBACK));
    }
    Forecast forecast = host == null ? null : forecast(admitted, host, chosen, jobs, now);
    // A policy that failed is not the one that decides: what it would say is not why a job waits.
    Supplier<@Nullable String> reason =
        () -> host == null || !failure.isEmpty() ? null : reason(job, host, now);
    why.addAll(why(job, jobs, admitted, chosen, reason));
    if (host != null) {
      why.add(length(job, host, experience));
    }
    return new Explanation(
        job,
        why,
        forecast == null || job.target() != null ? 0 : forecast.ahead(job.id()),
        start(job, jobs, forecast),
        forecast == null ? Double.NaN : forecast.endSeconds(job.id()),
        basis(forecast, chosen));
  }

  /** Only when more jobs have ended there is something to learn. */
  private synchronized Lengths lengths(List<Job> finished) {
    Learned known = learned;
    if (known == null || !known.finished.equals(finished)) {
      known = new Learned(finished, new Lengths(finished));
      learned = known;
    }
    return known.lengths;
  }

  private static String length(Job job, PolicyHost host, Experience experience) {
    double rate = job.rate();
    return Double.isNaN(rate)
        ? experience.lengths().why(job, host.models(), host.cluster())
        : "it reports %.3g %% of its work a second: all of it would take %.0f s"
            .formatted(100 * rate, 1 / rate);
  }

  private @Nullable Forecast forecast(
      AdmittedJobs admitted,
      PolicyHost host,
      ChosenPolicy chosen,
      Map<Long, Job> jobs,
      double now) {
    List<Job> shown = jobs.values().stream().filter(admitted::couldRun).toList();
    try {
      return new Forecast(admitted, host, chosen, host.models(), shown, now);
    } catch (RuntimeException e) {
      // A policy that cannot go on from here: no forecast is better than no answer.
      return null;
    }
  }

  private static double start(Job job, Map<Long, Job> jobs, @Nullable Forecast forecast) {
    if (forecast == null || job.state() == JobState.RUNNING) {
      return Double.NaN;
    }
    if (job.state() != JobState.SUBMITTED) {
      return forecast.startSeconds(job.id());
    }
    return job.spec().after().stream()
        .filter(jobs::containsKey)
        .mapToDouble(forecast::endSeconds)
        .max()
        .orElse(Double.NaN);
  }

  private List<String> why(
      Job job,
      Map<Long, Job> jobs,
      AdmittedJobs admitted,
      ChosenPolicy chosen,
      Supplier<@Nullable String> ownReason) {
    return switch (job.state()) {
      case SUBMITTED ->
          job.spec().after().stream()
              .map(jobs::get)
              .filter(j -> j != null)
              .sorted(Comparator.comparingLong(Job::id))
              .map(j ->
                  "it waits for job %d (%s), which is %s"
                      .formatted(j.id(), j.spec().name(), j.state().text()))
              .toList();
      case QUEUED -> {
        String withheld = admitted.whyWithheld(job);
        yield withheld == null ? whyQueued(job, admitted, chosen, ownReason) : List.of(withheld);
      }
      case PLACED ->
          List.of(
              job.reason(),
              "it starts when the jobs that are leaving those GPUs are gone: %s"
                  .formatted(job.target()));
      default -> List.of(job.reason());
    };
  }

  private List<String> whyQueued(
      Job job, AdmittedJobs admitted, ChosenPolicy chosen, Supplier<@Nullable String> ownReason) {
    PolicyHost host = admitted.host();
    List<String> why = new ArrayList<>();
    if (host == null) {
      return why;
    }
    why.add(whatIsFree(job, host, chosen));
    String reason = ownReason.get();
    if (reason != null) {
      why.add("%s: %s".formatted(chosen.name(), reason));
    }
    why.add("%s: %s".formatted(chosen.name(), chosen.spec().summary()));
    if (!job.reason().equals("waits for GPUs")) {
      why.add(job.reason());
    }
    return why;
  }

  /** Why a job waits, as far as what is free tells: as in the report of a simulated run. */
  private static String whatIsFree(Job job, PolicyHost host, ChosenPolicy chosen) {
    int free = host.freeGpus();
    int asked = job.spec().minGpus();
    int all = host.cluster().totalGpus();
    if (free < asked) {
      return "too few GPUs are free: it needs %d, and %d of %d are free"
          .formatted(asked, free, all);
    }
    String but =
        switch (host.waitReason(job.id(), chosen)) {
          case CAPACITY -> "too few of them with the CPUs and the memory that it asks for";
          case FRAGMENTED -> "not on servers where %s would put it".formatted(chosen.name());
          case PLACEMENT ->
              "it would be scattered, and %s may hold it for a better place"
                  .formatted(chosen.name());
          case BEHIND -> "%s has not given it any yet".formatted(chosen.name());
        };
    return "%d of %d GPUs are free and it needs %d, but %s".formatted(free, all, asked, but);
  }

  /**
   * Why a job waits, in the policy's own words. For that it must have decided: the GPUs that it
   * gives are not free at the host from then on.
   */
  private static @Nullable String reason(Job job, PolicyHost host, double now) {
    try {
      host.decide(now);
    } catch (RuntimeException e) {
      // As for a forecast: the plane sees to a policy that fails.
      return null;
    }
    return host.whyWaits(job.id());
  }

  private String basis(@Nullable Forecast forecast, ChosenPolicy chosen) {
    if (forecast == null) {
      return "no prediction: no node is open, or the policy could not be simulated from here";
    }
    return forecast.isComplete()
        ? ("a simulation of the present queue under %s, in which every job takes as long as it is"
                + " expected to and none is submitted after now")
            .formatted(chosen.name())
        : "no prediction: simulating the present queue takes too long";
  }
}
