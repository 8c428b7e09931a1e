package io.ringmaster.advise;

import io.ringmaster.workload.Draws;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Jobs that may be submitted after now: those of an earlier time, a whole number of days ago so
 * that nights stay nights. A past that is shorter than that is taken from any moment of it.
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
    past =
        Stream.of(
                queue.ended().stream().map(job -> new Past(job.job(), job.lengthSeconds())),
                queue.running().stream().map(job -> new Past(job.job(), Double.NaN)),
                queue.waiting().stream().map(job -> new Past(job, Double.NaN)))
            .flatMap(each -> each)
            .filter(each -> each.job().gpus() <= queue.cluster().totalGpus())
            .sorted(Comparator.comparingDouble(each -> each.job().submitSeconds()))
            .toList();
  }

  /** One way in which jobs may come, up to a time after now. */
  List<Arrival> drawn(double untilSeconds, Draws chance) {
    List<Arrival> arrivals = new ArrayList<>();
    double span = past.isEmpty() ? 0 : nowSeconds - past.getFirst().job().submitSeconds();
    double done = 0;
    while (span > 0 && done < untilSeconds && arrivals.size() < MOST) {
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
