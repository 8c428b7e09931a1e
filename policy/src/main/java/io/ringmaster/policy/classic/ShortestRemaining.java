package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import java.util.List;

/**
 * Shortest remaining time first, and shortest remaining service (time x GPUs) first: Tiresias calls
 * them "shortest" and "shortest-gpu" (Gu et al., NSDI 2019). What is left counts at present speed
 * for a running job and at ideal speed for a waiting one. The time of its last restart is not
 * counted against a running job: it is spent, and stopping the job would cost it again.
 *
 * <p>That rule has a trap: a job that contention slows down is stopped for being slow, starts again
 * for being fast while it waits, and so on at every event. Consolidated placement avoids it; with
 * another one, {@code shield} leaves a started job alone for a while.
 */
public final class ShortestRemaining extends PreemptivePolicy {
  public static final Parameter SHIELD =
      Parameter.number("shield", 0, 0, 1e6)
          .saying(
              "how long a started job is not stopped, in multiples of the cluster's restart time");

  public static final PolicySpec SRTF =
      new PolicySpec(
          "srtf",
          "Shortest remaining time first; stops longer jobs.",
          "Schrage, 1968; as in Tiresias, Gu et al., NSDI 2019",
          List.of(SHIELD, Placer.PARAMETER, Estimate.PARAMETER),
          Placer::rule,
          (settings, cluster) -> new ShortestRemaining(false, settings, cluster));

  public static final PolicySpec SRSF =
      new PolicySpec(
          "srsf",
          "Shortest remaining service (time x GPUs) first; stops larger jobs.",
          "Tiresias, Gu et al., NSDI 2019",
          List.of(SHIELD, Placer.PARAMETER, Estimate.PARAMETER),
          Placer::rule,
          (settings, cluster) -> new ShortestRemaining(true, settings, cluster));

  private final double shield;

  private ShortestRemaining(boolean timesGpus, Settings settings, Cluster cluster) {
    super(settings, cluster, true, timesGpus);
    this.shield = settings.number(SHIELD.name());
  }

  @Override
  double waitingKey(View view, int job) {
    return view.remainingSeconds(job) * pace(view.gpus(job));
  }

  @Override
  double runningKey(View view, int job) {
    return view.expectedEndSeconds(job) - view.warmupSeconds(job);
  }

  @Override
  double shieldSeconds(View view) {
    return shield * view.cluster().restartSeconds();
  }
}
