package io.ringmaster.policy;

import java.util.Map;

/**
 * Decides who runs where. Called at each decision point: jobs arrived, ended or changed speed, or a
 * wake-up that the policy asked for is due.
 *
 * <p>A policy may keep indexes of its own, such as queues, but only what follows from the views it
 * has seen. It has no clock, no thread and no file, and takes random numbers from the view: so the
 * policy that is simulated is the policy that is deployed. The first view of a policy that takes
 * over a busy cluster lists every waiting and running job as arrived.
 */
public interface Policy {
  void decide(View view, Decisions decisions);

  /**
   * What it has to say of its own doing, such as thresholds that it chose: keys of a run's summary,
   * with units in their names, and numbers or texts.
   */
  default Map<String, Object> notes() {
    return Map.of();
  }
}
