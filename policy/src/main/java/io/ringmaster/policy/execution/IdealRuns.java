package io.ringmaster.policy.execution;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import org.jspecify.annotations.Nullable;

/** How jobs run alone in their ideal place: what their speed elsewhere is measured by. */
public interface IdealRuns {
  /** Workers asked for. */
  int gpus(int job);

  /** What a job trains; null: it does not communicate. */
  @Nullable ModelProfile profile(int job);

  /** tau of the ideal placement. */
  double iterationSeconds(int job);

  /** tau of jobs of a kind, alone on the fewest servers of the empty cluster. */
  static double iterationSeconds(
      Cluster cluster,
      IterationTime time,
      @Nullable ModelProfile profile,
      int gpus,
      Demand demand) {
    return time.seconds(profile, cluster.idealPlacement(gpus, demand), 1);
  }
}
