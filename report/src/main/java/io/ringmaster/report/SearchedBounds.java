package io.ringmaster.report;

import io.ringmaster.bounds.Bound;
import io.ringmaster.workload.json.RecordFields.Inline;
import io.ringmaster.workload.json.RecordFields.Named;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.Optional;

/**
 * What no schedule that does not stop jobs can beat, for one workload.
 *
 * @param seconds how long was searched
 */
@NamedAsDeclared
public record SearchedBounds(Figures makespan, @Named("mean_jct") Figures meanJct, double seconds) {

  /** What is known of an objective. */
  public record Figures(@Inline Seconds seconds, String status, String model) {
    public static Figures of(Bound bound, double divisor) {
      return new Figures(Seconds.of(bound, divisor), bound.status().text(), bound.model().text());
    }
  }

  /** Bounds, and the best that was found, if anything was. */
  public record Seconds(
      @Named("any_schedule_s") double anySchedule,
      @Named("no_preemption_s") double noPreemption,
      @Named("best_found_s") Optional<Double> bestFound) {

    public static Seconds of(Bound bound, double divisor) {
      double best = bound.bestFoundSeconds();
      return new Seconds(
          bound.anyScheduleSeconds() / divisor,
          bound.lowerBoundSeconds() / divisor,
          Double.isNaN(best) ? Optional.empty() : Optional.of(best / divisor));
    }
  }
}
