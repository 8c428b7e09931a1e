package io.ringmaster.engine.slurm.look;

import io.ringmaster.workload.trace.SlurmTexts;
import java.util.Locale;

/**
 * What Slurm said.
 *
 * @param atSeconds when, in seconds since 1970
 * @param cost of the calls that told it
 * @param isKept whether it was told to an earlier look, and nothing was asked now
 */
public record Look(SlurmTexts texts, double atSeconds, Cost cost, boolean isKept) {

  /**
   * What a look costs a site.
   *
   * @param calls of slurmctld
   * @param bytes of its answers
   * @param milliseconds until the last of them was there, one after the other
   */
  public record Cost(int calls, long bytes, double milliseconds) {

    /** As in {@code 3 calls, 412 kB, 160 ms}. */
    public String text() {
      return String.format(
          Locale.ROOT,
          "%d calls, %s, %.0f ms",
          calls,
          bytes < 10_000 ? bytes + " bytes" : String.format(Locale.ROOT, "%.0f kB", bytes / 1e3),
          milliseconds);
    }
  }
}
