package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.store.Loaded;
import io.ringmaster.policy.KnownLengths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be expected of the whole queue, as it stood at a moment: made once, with the very
 * classes that decide, it tells of each job why it waits and when it is likely to start and end.
 */
public final class Outlook {
  /** From then on its age is told. */
  private static final double OLD_SECONDS = 1;

  private final double madeSeconds;
  private final Map<Long, Job> jobs = new HashMap<>();
  private final ChosenPolicy chosen;
  private final Experience experience;
  private final AdmittedJobs admitted;

  /** The same jobs after the policy decided, for its own words; null: it has none to say. */
  private final @Nullable PolicyHost decided;

  private final @Nullable Forecast forecast;
  private final String failure;

  /** Simulates. May take seconds. */
  Outlook(PlaneConfig config, Loaded loaded, Lengths lengths, double nowSeconds) {
    madeSeconds = nowSeconds;
    loaded.open().forEach(job -> jobs.put(job.id(), job));
    experience = new Experience(config, loaded, lengths);
    Capacity capacity =
        new Capacity(new Inventory(config, loaded.nodes()), experience, jobs.values(), Set.of());
    Lifecycle lifecycle = new Lifecycle(config.mostLosses());
    jobs.replaceAll((_, job) ->
        capacity.isDisplaced(job)
            ? lifecycle.step(job, new JobEvent.Assign(null, 1, job.reason()), nowSeconds).job()
            : job);
    chosen = ChosenPolicy.of(loaded.settings(), config);
    admitted = chosen.admit(config, capacity, jobs, experience, nowSeconds, 0);
    failure = loaded.settings().getOrDefault(ChosenPolicy.ERROR, "");
    PolicyHost host = admitted.host();
    forecast = host == null ? null : forecast(host);
    // A policy that failed is not the one that decides: what it would say is not why a job waits.
    decided =
        host == null || !failure.isEmpty()
            ? null
            : decided(chosen.admit(config, capacity, jobs, experience, nowSeconds, 0));
  }

  /** After a decision, the GPUs that it gave are not free at a host any more. */
  private @Nullable PolicyHost decided(AdmittedJobs others) {
    PolicyHost host = Objects.requireNonNull(others.host());
    try {
      host.decide(madeSeconds);
      return host;
    } catch (RuntimeException e) {
      // As for a forecast: the plane sees to a policy that fails.
      return null;
    }
  }

  private @Nullable Forecast forecast(PolicyHost host) {
    List<Job> shown = jobs.values().stream().filter(admitted::couldRun).toList();
    try {
      return new Forecast(admitted, host, chosen, host.models(), shown, madeSeconds);
    } catch (RuntimeException e) {
      // A policy that cannot go on from here: no forecast is better than no answer.
      return null;
    }
  }

  /**
   * What is expected of an open job.
   *
   * @param place among those that wait, in the order in which they are to start; 0: it does not
   *     wait, or that is not known
   * @param startSeconds of one that waits, since 1970; NaN: as for the place
   * @param endSeconds NaN: not known
   */
  public record Expected(
      long job, String user, int place, double startSeconds, double endSeconds) {}

  /** What is expected of all jobs that were open then. */
  public List<Expected> expected() {
    return jobs.values().stream().map(this::expected).toList();
  }

  private Expected expected(Job job) {
    long id = job.id();
    double start = job.state().holdsGpus() ? Double.NaN : startSeconds(id);
    // One that waits for other jobs has no place among those that wait for GPUs.
    boolean hasPlace = !Double.isNaN(start) && job.state() != JobState.SUBMITTED;
    int place = forecast == null || !hasPlace ? 0 : forecast.ahead(id) + 1;
    return new Expected(id, job.user(), place, start, endSeconds(id));
  }

  /** On what it rests, in words. */
  public String basis() {
    return forecast == null
        ? "no prediction: no node is open, or the policy could not be simulated from here"
        : ("a simulation of the present queue under %s, in which every job takes as long as it is"
                + " expected to and none is submitted after now")
            .formatted(chosen.name());
  }

  /** When it was made, seconds since 1970. */
  public double madeSeconds() {
    return madeSeconds;
  }

  /** Whether a job stood then as it does now. */
  boolean stillHolds(Job job) {
    Job known = jobs.get(job.id());
    return known != null
        && known.state() == job.state()
        && known.attempt() == job.attempt()
        && known.reason().equals(job.reason());
  }

  /** When a job that waits is expected to start, seconds since 1970; NaN: that is not known. */
  public double startSeconds(long id) {
    Job job = jobs.get(id);
    if (job == null || forecast == null || job.state() == JobState.RUNNING) {
      return Double.NaN;
    }
    if (job.state() != JobState.SUBMITTED) {
      return forecast.startSeconds(id);
    }
    return job.spec().after().stream()
        .filter(jobs::containsKey)
        .mapToDouble(forecast::endSeconds)
        .max()
        .orElse(Double.NaN);
  }

  public double endSeconds(long id) {
    return forecast == null ? Double.NaN : forecast.endSeconds(id);
  }

  /**
   * Why a job is where it is; empty: it was not open then. Hosts are not made for threads.
   *
   * @param job as it is now
   */
  synchronized Optional<Explanation> explain(Job job, double nowSeconds) {
    long id = job.id();
    if (!jobs.containsKey(id)) {
      return Optional.empty();
    }
    List<String> why = new ArrayList<>();
    if (!failure.isEmpty()) {
      why.add(
          "%s; %s decides until another policy is chosen"
              .formatted(failure, ChosenPolicy.FALLBACK));
    }
    why.addAll(stillHolds(job) ? why(job) : List.of(job.reason()));
    PolicyHost host = admitted.host();
    if (host != null) {
      why.add(lengths());
      why.add(length(job, host));
    }
    boolean waits = job.target() == null;
    return Optional.of(
        new Explanation(
            job,
            why,
            forecast == null || !waits ? 0 : forecast.ahead(id),
            job.state() == JobState.RUNNING ? Double.NaN : startSeconds(id),
            endSeconds(id),
            madeSeconds,
            basis(id) + age(nowSeconds)));
  }

  private String age(double nowSeconds) {
    double seconds = nowSeconds - madeSeconds;
    return seconds < OLD_SECONDS ? "" : "; as the queue stood %.0f s ago".formatted(seconds);
  }

  /** What the policy knows of lengths: never the truth. */
  private String lengths() {
    return chosen.lengths() == KnownLengths.NONE
        ? "lengths none: %s does not ask how long jobs take; this prediction does"
            .formatted(chosen.name())
        : "lengths predicted: %s goes by how long jobs are expected to take, which nobody knows"
            .formatted(chosen.name());
  }

  private String length(Job job, PolicyHost host) {
    double rate = job.rate();
    return Double.isNaN(rate)
        ? experience.lengths().why(job, host.models(), host.cluster())
        : "it reports %.3g %% of its work a second: all of it would take %.0f s"
            .formatted(100 * rate, 1 / rate);
  }

  private List<String> whatItWaitsFor(Job job) {
    return job.spec().after().stream()
        .map(jobs::get)
        .filter(Objects::nonNull)
        .sorted(Comparator.comparingLong(Job::id))
        .map(other -> waitsFor(job, other))
        .toList();
  }

  private List<String> why(Job job) {
    return switch (job.state()) {
      case SUBMITTED -> job.arrival().isEmpty() ? whatItWaitsFor(job) : List.of(job.reason());
      case QUEUED -> {
        String withheld = admitted.whyWithheld(job);
        yield withheld == null ? whyQueued(job) : List.of(withheld);
      }
      case PLACED ->
          List.of(
              job.reason(),
              "it starts when the jobs that are leaving those GPUs are gone: %s"
                  .formatted(job.target()));
      default -> List.of(job.reason());
    };
  }

  /** Of a job of somebody else nothing is told. */
  private static String waitsFor(Job job, Job other) {
    return job.user().equals(other.user())
        ? "it waits for job %d (%s), which is %s"
            .formatted(other.id(), other.spec().name(), other.state().text())
        : "it waits for job %d of another user".formatted(other.id());
  }

  private List<String> whyQueued(Job job) {
    PolicyHost host = admitted.host();
    List<String> why = new ArrayList<>();
    if (host == null) {
      return why;
    }
    why.add(whatIsFree(job, host));
    String reason = decided == null ? null : decided.whyWaits(job.id());
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
  private String whatIsFree(Job job, PolicyHost host) {
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

  private String basis(long id) {
    return forecast == null || forecast.isComplete()
        ? basis()
        : basis() + "; " + forecast.whatIsMissing(id);
  }
}
