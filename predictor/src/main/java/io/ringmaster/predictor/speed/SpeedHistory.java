package io.ringmaster.predictor.speed;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Placement;
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
  private final SpeedForm form;
  private final AllReduce allReduce;
  private final SpeedFit prior;
  private final Map<StepTime, Mean> means = new TreeMap<>(StepTime.ORDER);
  private @Nullable SpeedFit fit;

  /** Without measurements it is {@link SpeedFit#unknown}. */
  public SpeedHistory(SpeedForm form, AllReduce allReduce) {
    this(form, allReduce, SpeedFit.unknown(allReduce));
  }

  /**
   * @param prior how fast the job is taken to be before anything is measured
   */
  public SpeedHistory(SpeedForm form, AllReduce allReduce, SpeedFit prior) {
    this.form = form;
    this.allReduce = allReduce;
    this.prior = prior;
  }

  public void add(StepTime time) {
    means.computeIfAbsent(time.taking(1), _ -> new Mean()).add(time.seconds(), 1);
    fit = null;
  }

  /**
   * Adds the mean of several iterations.
   *
   * @param iterations how many, at least 1
   */
  public void add(Placement placement, double batch, double meanSeconds, long iterations) {
    StepTime time = StepTime.of(placement, batch, meanSeconds);
    means.computeIfAbsent(time.taking(1), _ -> new Mean()).add(meanSeconds, iterations);
    fit = null;
  }

  /** Iterations measured. */
  public long count() {
    return means.values().stream().mapToLong(mean -> mean.count).sum();
  }

  /** Numbers of workers measured. */
  public int distinctWorkers() {
    return (int) means.keySet().stream().map(StepTime::workers).distinct().count();
  }

  /** The means, one for each place and batch. */
  public List<StepTime> points() {
    List<StepTime> points = new ArrayList<>();
    means.forEach((where, mean) -> points.add(where.taking(mean.seconds)));
    return points;
  }

  /** The fit to all so far; computed when first wanted. */
  public SpeedFit fit() {
    SpeedFit last = fit;
    if (last == null) {
      last = means.isEmpty() ? prior : SpeedFit.of(points(), form, allReduce);
      fit = last;
    }
    return last;
  }

  private static final class Mean {
    private double seconds;
    private long count;

    void add(double more, long times) {
      count += times;
      seconds += (more - seconds) * times / count;
    }
  }
}
