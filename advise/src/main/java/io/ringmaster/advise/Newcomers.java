package io.ringmaster.advise;

import io.ringmaster.workload.Draws;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Jobs that may be submitted after now: those of an earlier time, a whole number of days ago so
 * that nights stay nights.
 *
 * <p>A past of less than a day does not tell a burst from a day's work: who takes the minute in
 * which a hundred jobs were handed in for a rate expects thousands by the evening. So it is taken
 * from any moment of it, and tells no further ahead than it reaches back. Where no job is known
 * that ended, nobody comes.
 */
final class Newcomers {
  private static final double DAY_SECONDS = 86_400;

  /** More would take too long to simulate, and the later of them matter little. */
  private static final int MOST = 20_000;

  private final List<Past> past;
  private final double nowSeconds;

  /**
   * A job of the past, or one to come.
   *
   * @param lengthSeconds NaN if it has not ended
   */
  record Past(Queue.Job job, double lengthSeconds) {}

  /**
   * A job to come.
   *
   * @param inSeconds after now
   */
  record Arrival(double inSeconds, Past like) {}

  Newcomers(Queue queue) {
    nowSeconds = queue.nowSeconds();
    // Those who wait and run now may be all that came in a month, or in a minute.
    past = queue.ended().isEmpty() ? List.of() : past(queue);
  }

  private static List<Past> past(Queue queue) {
    return Stream.of(
            queue.ended().stream().map(job -> new Past(job.job(), job.lengthSeconds())),
            queue.running().stream().map(job -> new Past(job.job(), Double.NaN)),
            queue.stopped().stream().map(job -> new Past(job.job(), Double.NaN)),
            queue.waiting().stream().map(job -> new Past(job, Double.NaN)))
        .flatMap(each -> each)
        .filter(each ->
            each.job().gpus()
                <= queue.cluster().mostWorkers(queue.cluster().demand(each.job().demand(), null)))
        .sorted(Comparator.comparingDouble(each -> each.job().submitSeconds()))
        .toList();
  }

  /** How far ahead the past tells of jobs to come; 0 if it does not, and infinite from a day on. */
  double reachSeconds() {
    double span = spanSeconds();
    return span < DAY_SECONDS ? span : Double.POSITIVE_INFINITY;
  }

  private double spanSeconds() {
    return past.isEmpty() ? 0 : nowSeconds - past.getFirst().job().submitSeconds();
  }

  /** One way in which jobs may come, up to a time after now. */
  List<Arrival> drawn(double lookedForSeconds, Draws chance) {
    List<Arrival> arrivals = new ArrayList<>();
    double span = spanSeconds();
    double untilSeconds = Math.min(lookedForSeconds, reachSeconds());
    double done = 0;
    while (done < untilSeconds && arrivals.size() < MOST) {
      int days = (int) (span / DAY_SECONDS);
      double back =
          days == 0 ? span * (1 - chance.uniform()) : DAY_SECONDS * (1 + chance.below(days));
      double from = nowSeconds - back;
      for (int i = firstAfter(from); i < past.size() && arrivals.size() < MOST; i++) {
        double in = done + past.get(i).job().submitSeconds() - from;
        if (in > untilSeconds) {
          break;
        }
        arrivals.add(new Arrival(in, past.get(i)));
      }
      done += back;
    }
    return arrivals;
  }

  private int firstAfter(double seconds) {
    int low = 0;
    int high = past.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (past.get(middle).job().submitSeconds() > seconds) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
