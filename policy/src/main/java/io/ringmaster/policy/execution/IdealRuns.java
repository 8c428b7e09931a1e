package io.ringmaster.policy.execution;

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
}
