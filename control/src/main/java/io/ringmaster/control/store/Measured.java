package io.ringmaster.control.store;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import java.util.Locale;

/**
 * Something that an attempt of a job was measured to take. The store keeps the last {@link #KEPT}
 * of each kind.
 *
 * @param serial ascending within a kind
 * @param workers of the attempt
 * @param servers that they sat on
 * @param mostOnOne the most that sat on one of them
 * @param seconds of a restart or a start; of a speed, what the whole job would take at that speed
 * @param weight of a speed, the share of the job that it was measured over; otherwise 1
 * @param miniBatches of a speed, what the whole job is by its own words; NaN: it does not say
 */
public record Measured(
    Kind kind,
    long serial,
    double atSeconds,
    long job,
    int attempt,
    String model,
    String group,
    int workers,
    int servers,
    int mostOnOne,
    double seconds,
    double weight,
    double miniBatches) {
  /** How many of each kind are kept. */
  public static final int KEPT = 1000;

  /** What was measured. */
  public enum Kind {
    /**
     * From being asked to stop until the attempt had ended, and from the next launch to progress.
     */
    RESTART,
    /** From the first launch to progress. */
    START,
    /** A steady rate of progress. */
    SPEED;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Kind of(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /** A measurement of the present attempt of a job. */
  public static Measured of(
      Kind kind,
      long serial,
      double atSeconds,
      Job job,
      Allocation held,
      double seconds,
      double weight) {
    return new Measured(
        kind,
        serial,
        atSeconds,
        job.id(),
        job.attempt(),
        job.spec().model(),
        job.spec().group(),
        held.workers(),
        held.shares().size(),
        held.shares().stream().mapToInt(Allocation.Share::gpus).max().orElse(0),
        seconds,
        weight,
        job.spec().iterations() * job.spec().gpus());
  }
}
