package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import java.util.Arrays;
import java.util.List;

/**
 * Discretised least attained service over two dimensions, time and GPUs: Tiresias (Gu et al., NSDI
 * 2019, section 3.3), for jobs whose length nobody knows. Jobs start in queue 0 and fall to the
 * next when the GPU-seconds they have held pass its threshold. Queues are served in order; inside
 * one, running jobs stay ahead of waiting ones, and waiting ones are first come first served. A job
 * that is suspended waits ahead of those that waited already.
 *
 * <p>Departure: a job falls exactly when it passes the threshold; the authors' code tests at events
 * and computes the next test from mixed units.
 */
public final class LeastAttained extends PreemptivePolicy {
  public static final Parameter QUEUES =
      new Parameter(
          "queues",
          "3250,7200",
          new Parameter.Pattern(
              "rising GPU-seconds between commas, such as 3250,7200", LeastAttained::isRising),
          "GPU-seconds at which a job falls to the next queue");

  public static final PolicySpec SPEC =
      new PolicySpec(
          "las",
          "Least attained service in a few queues; needs no lengths; stops older jobs.",
          "Tiresias, Gu et al., NSDI 2019",
          List.of(QUEUES, Placer.PARAMETER),
          Placer::rule,
          LeastAttained::new);

  /** Room for a serial inside a queue's part of a key; all of it exact in a double. */
  private static final double QUEUE_SPAN = 0x1p42;

  private final double[] thresholds;
  private final IndexedHeap crossings = IndexedHeap.ascending();
  private final IntList started = new IntList();
  private int[] queue = new int[0];
  private double[] serial = new double[0];
  private long backSerial;
  private long frontSerial;

  public LeastAttained(Settings settings, Cluster cluster) {
    super(settings, cluster, false, false);
    this.thresholds = parse(settings.text(QUEUES.name()));
  }

  /** The GPU-seconds at which a job falls, queue by queue. */
  static double[] parse(String text) {
    return Arrays.stream(text.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  private static boolean isRising(String text) {
    try {
      double[] values = parse(text);
      double before = 0;
      for (double value : values) {
        if (!(value > before) || Double.isInfinite(value)) {
          return false;
        }
        before = value;
      }
      return values.length <= 1000;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  @Override
  double waitingKey(View view, int job) {
    return (2 * queue[job] + 1) * QUEUE_SPAN + serial[job];
  }

  @Override
  double runningKey(View view, int job) {
    return 2 * queue[job] * QUEUE_SPAN + serial[job];
  }

  @Override
  void onArrive(View view, int job) {
    queue = Grow.ensure(queue, job + 1);
    serial = Grow.ensure(serial, job + 1);
    queue[job] = 0;
    serial[job] = ++backSerial;
    if (view.running(job)) {
      started.add(job);
    }
  }

  @Override
  void onStart(int job) {
    serial[job] = ++backSerial;
    started.add(job);
  }

  @Override
  void onSuspend(int job) {
    serial[job] = --frontSerial;
    crossings.remove(job);
  }

  @Override
  void onEnd(int job) {
    crossings.remove(job);
  }

  @Override
  void beforeWalk(View view) {
    while (!crossings.isEmpty() && crossings.peekKey() <= view.nowSeconds()) {
      int job = crossings.poll();
      queue[job]++;
      serial[job] = ++backSerial;
      reorder(view, job);
      watch(view, job);
    }
  }

  @Override
  void afterWalk(View view, Decisions decisions) {
    for (int i = 0; i < started.size(); i++) {
      if (view.running(started.get(i))) {
        watch(view, started.get(i));
      }
    }
    started.clear();
    if (!crossings.isEmpty()) {
      decisions.wakeAt(Math.max(crossings.peekKey(), Math.nextUp(view.nowSeconds())));
    }
  }

  /** Notes when a running job will pass the threshold of its queue. */
  private void watch(View view, int job) {
    if (queue[job] < thresholds.length) {
      double left = thresholds[queue[job]] - view.attainedGpuSeconds(job);
      crossings.put(job, view.nowSeconds() + left / view.placement(job).workers());
    }
  }
}
