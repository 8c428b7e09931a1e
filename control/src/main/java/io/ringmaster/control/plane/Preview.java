package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.store.Loaded;
import io.ringmaster.policy.KnownLengths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What another policy would do with the queue as it stands, beside what the present one would:
 * simulated with the very classes that decide. Nothing of it is carried out.
 *
 * @param jobs some of those that wait or would be stopped, the first first
 * @param leftOff how many more there are
 * @param basis on what it rests, in words
 */
public record Preview(Side present, Side other, List<Fate> jobs, int leftOff, String basis) {
  private static final int MOST_JOBS = 20;

  /**
   * What a policy would make of the queue. NaN: it cannot be told.
   *
   * @param waitMeanSeconds how long jobs are without GPUs from now on, those that run included
   * @param waitP95Seconds the first such wait that 95 of 100 are below
   * @param endMeanSeconds from now to a job's end, in the mean
   * @param stops how often jobs are stopped, moved or resized
   * @param atRiskGpuSeconds work that jobs lose by that which run now; see {@link Fate}
   */
  public record Side(
      String policy,
      Map<String, String> settings,
      KnownLengths lengths,
      double waitMeanSeconds,
      double waitP95Seconds,
      double endMeanSeconds,
      int stops,
      double atRiskGpuSeconds) {}

  /**
   * What would become of a job under the other policy, and under the present one.
   *
   * @param startSeconds since 1970; NaN: it runs, or cannot be told
   * @param atRiskGpuSeconds if it runs now, what it loses at its first stop unless it saves when it
   *     is asked to: all that it did, if no checkpoint of it has been seen, else what it did since
   *     it last said how far it is
   */
  public record Fate(
      Job job,
      double startSeconds,
      double presentStartSeconds,
      int stops,
      int presentStops,
      double atRiskGpuSeconds) {}

  /**
   * Simulates both, which may take seconds.
   *
   * @throws io.ringmaster.model.BadInput if there is no such policy, or it does not take these
   *     settings
   */
  static Preview of(
      PlaneConfig config,
      Loaded loaded,
      Lengths lengths,
      String policy,
      Map<String, String> settings,
      double nowSeconds) {
    Inventory inventory = new Inventory(config, loaded.nodes());
    ChosenPolicy chosen = ChosenPolicy.of(loaded.settings(), config);
    ChosenPolicy wanted = chosen.other(policy, settings, inventory.whole());
    Map<Long, Job> jobs = new HashMap<>();
    loaded.open().forEach(job -> jobs.put(job.id(), job));
    Experience experience = new Experience(config, loaded, lengths);
    Capacity capacity = new Capacity(inventory, experience, jobs.values(), Set.of());
    Lifecycle lifecycle = new Lifecycle(config.mostLosses());
    jobs.replaceAll((_, job) ->
        capacity.isDisplaced(job)
            ? lifecycle.step(job, new JobEvent.Assign(null, 1, job.reason()), nowSeconds).job()
            : job);
    Future now = Future.of(config, capacity, jobs, experience, chosen, nowSeconds);
    Future then = Future.of(config, capacity, jobs, experience, wanted, nowSeconds);
    return of(now, then);
  }

  private static Preview of(Future now, Future then) {
    List<Fate> fates = new ArrayList<>();
    for (Job job : then.jobs) {
      boolean waits = job.target() == null;
      int stops = then.stops(job);
      if (waits || stops > 0) {
        fates.add(
            new Fate(
                job,
                waits ? then.start(job) : Double.NaN,
                waits ? now.start(job) : Double.NaN,
                stops,
                now.stops(job),
                then.atRiskGpuSeconds(job)));
      }
    }
    // Whoever would lose GPUs first, then who would start when; NaN comes last.
    fates.sort(
        Comparator.comparing((Fate fate) -> fate.job().target() == null)
            .thenComparingDouble(Fate::startSeconds)
            .thenComparingLong(fate -> fate.job().id()));
    return new Preview(
        now.side(),
        then.side(),
        List.copyOf(fates.subList(0, Math.min(MOST_JOBS, fates.size()))),
        Math.max(0, fates.size() - MOST_JOBS),
        basis(now, then));
  }

  private static String basis(Future now, Future then) {
    for (Future future : List.of(now, then)) {
      if (future.forecast == null) {
        return "no prediction: no node is open, or %s could not be simulated from here"
            .formatted(future.chosen.name());
      }
    }
    String basis =
        "simulations of the present queue, in which every job takes as long as it is expected to,"
            + " goes on where it was after a stop, and none is submitted after now";
    return now.isComplete() && then.isComplete()
        ? basis
        : basis + "; rough, since there was no time to look at all jobs to their ends";
  }

  private record Future(
      ChosenPolicy chosen, List<Job> jobs, @Nullable Forecast forecast, double nowSeconds) {
    static Future of(
        PlaneConfig config,
        Capacity capacity,
        Map<Long, Job> jobs,
        Experience experience,
        ChosenPolicy chosen,
        double nowSeconds) {
      AdmittedJobs admitted = chosen.admit(config, capacity, jobs, experience, nowSeconds, 0);
      List<Job> shown = jobs.values().stream().filter(admitted::couldRun).toList();
      PolicyHost host = admitted.host();
      Forecast forecast = null;
      if (host != null) {
        try {
          forecast = new Forecast(admitted, host, chosen, host.models(), shown, nowSeconds);
        } catch (RuntimeException e) {
          // A policy that cannot go on from here: the basis says so.
        }
      }
      return new Future(chosen, shown, forecast, nowSeconds);
    }

    boolean isComplete() {
      return forecast != null && forecast.isComplete();
    }

    double start(Job job) {
      return forecast == null ? Double.NaN : forecast.startSeconds(job.id());
    }

    int stops(Job job) {
      return forecast == null ? 0 : forecast.stops(job.id());
    }

    Side side() {
      Forecast seen = forecast;
      double[] waits = seen == null ? new double[0] : finite(job -> seen.waitSeconds(job.id()));
      double[] ends =
          seen == null ? new double[0] : finite(job -> seen.endSeconds(job.id()) - nowSeconds);
      return new Side(
          chosen.name(),
          chosen.settings(),
          chosen.lengths(),
          Arrays.stream(waits).average().orElse(Double.NaN),
          waits.length == 0
              ? Double.NaN
              : waits[Math.min(waits.length - 1, (int) (0.95 * waits.length))],
          Arrays.stream(ends).average().orElse(Double.NaN),
          jobs.stream().mapToInt(this::stops).sum(),
          jobs.stream().mapToDouble(this::atRiskGpuSeconds).sum());
    }

    double atRiskGpuSeconds(Job job) {
      Allocation held = job.held();
      double stop = forecast == null ? Double.NaN : forecast.firstStopSeconds(job.id());
      if (held == null || job.target() == null || Double.isNaN(stop + job.attemptSeconds())) {
        return 0;
      }
      double reported = job.meter().lastSeconds();
      if (job.saved() && !Double.isNaN(reported)) {
        // It will have said more until then: how long ago it did so last is what is typical of it.
        return held.workers() * Math.max(0, nowSeconds - reported);
      }
      double before = job.saved() ? 0 : job.attainedGpuSeconds() - job.lost().gpuSeconds();
      return before + held.workers() * Math.max(0, stop - job.attemptSeconds());
    }

    private double[] finite(ToDoubleFunction<Job> figure) {
      return jobs.stream().mapToDouble(figure).filter(Double::isFinite).sorted().toArray();
    }
  }
}
