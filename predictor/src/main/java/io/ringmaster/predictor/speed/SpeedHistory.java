package io.ringmaster.predictor.speed;

import io.ringmaster.model.AllReduce;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one job so far, and how fast it is by that. It keeps a mean for each place
 * and batch, so its memory does not grow with the iterations. Each mean counts the same, or the
 * place where the job stayed longest would decide all. It does not forget: a job's speed in a place
 * is taken to be a property of the job.
 */
public final class SpeedHistory {
  private final Map<StepTime, Mean> means = new TreeMap<>(StepTime.ORDER);
  private @Nullable SpeedFit fit;

  public void add(StepTime time) {
    means.computeIfAbsent(time.taking(1), _ -> new Mean()).add(time.seconds());
    fit = null;
  }

  /** The means, one for each place and batch. */
  public List<StepTime> points() {
    List<StepTime> points = new ArrayList<>();
    means.forEach((where, mean) -> points.add(where.taking(mean.seconds)));
    return points;
  }

  /** The fit to all so far, {@link SpeedFit#unknown} of nothing; computed when first wanted. */
  public SpeedFit fit() {
    SpeedFit last = fit;
    if (last == null) {
      last =
          means.isEmpty()
              ? SpeedFit.unknown(AllReduce.RING)
              : SpeedFit.of(points(), SpeedForm.PLACED, AllReduce.RING);
      fit = last;
    }
    return last;
  }

  private static final class Mean {
    private double seconds;
    private long count;

    void add(double more) {
      count++;
      seconds += (more - seconds) / count;
    }
  }
}
