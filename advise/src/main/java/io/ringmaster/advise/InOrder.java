package io.ringmaster.advise;

import java.util.Comparator;
import java.util.List;

/** Whether a site serves jobs in the order in which they come, or lets some overtake. */
final class InOrder {
  /** Nobody overtakes. */
  static final String POLICY = "fifo";

  /** Slurm with its backfill plugin, as most have it. */
  static final String BACKFILL = "easy";

  /** Jobs that waited less were not overtaken in earnest. */
  private static final double WAITED_SECONDS = 60;

  /** With fewer, chance would say. */
  private static final int FEWEST = 20;

  private static final double MOST_OVERTAKEN = 0.1;

  private InOrder() {}

  /** Whether jobs keep their GPUs until they end, as with most schedulers of clusters. */
  static boolean isKept(String policy) {
    return policy.equals(POLICY) || policy.equals(BACKFILL);
  }

  /** Of the jobs that waited, the share that one overtook that came later; NaN: too few did. */
  static double overtakenShare(List<Queue.Ended> ended) {
    List<Queue.Ended> lastFirst =
        ended.stream()
            .filter(job -> !Double.isNaN(job.startSeconds()))
            .sorted(Comparator.comparingDouble((Queue.Ended job) -> -job.job().submitSeconds()))
            .toList();
    double earliestLater = Double.POSITIVE_INFINITY;
    int waited = 0;
    int overtaken = 0;
    for (Queue.Ended job : lastFirst) {
      if (job.startSeconds() - job.job().submitSeconds() > WAITED_SECONDS) {
        waited++;
        overtaken += earliestLater < job.startSeconds() - WAITED_SECONDS ? 1 : 0;
      }
      earliestLater = Math.min(earliestLater, job.startSeconds());
    }
    return waited < FEWEST ? Double.NaN : overtaken / (double) waited;
  }

  /** The policy that a site seems to have. */
  static String likely(List<Queue.Ended> ended) {
    return overtakenShare(ended) <= MOST_OVERTAKEN ? POLICY : BACKFILL;
  }
}
