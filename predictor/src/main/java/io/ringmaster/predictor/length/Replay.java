package io.ringmaster.predictor.length;

import io.ringmaster.model.collect.Sorted;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntConsumer;

/** Past jobs as they came and ended, one after the other. */
final class Replay {
  private Replay() {}

  /**
   * Tells of each job when it comes and when it ends. At one moment ends are first.
   *
   * @param jobs in order of submission
   */
  static void run(List<PastJob> jobs, IntConsumer comes, IntConsumer ends) {
    int[] byEnd =
        Sorted.by(Comparator.comparingDouble(job -> jobs.get(job).endSeconds()), jobs.size());
    int ended = 0;
    for (int job = 0; job < jobs.size(); job++) {
      double now = jobs.get(job).submitSeconds();
      while (ended < byEnd.length && jobs.get(byEnd[ended]).endSeconds() <= now) {
        ends.accept(byEnd[ended++]);
      }
      comes.accept(job);
    }
  }
}
