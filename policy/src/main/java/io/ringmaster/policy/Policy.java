package io.ringmaster.policy;

import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /**
   * Why a job stands as it does after the last {@link #decide}, in words for its owner and without
   * the policy's name: "its 16 GPUs on 2 servers came free", or "waits for 2 whole servers,
   * expected in 12 min; on scattered GPUs it would lose 40 min". Null: it has nothing to say of it.
   *
   * <p>Only asked between two decisions, of jobs that wait or run, and never in a simulation: words
   * are best made here and not in {@code decide}. It must change nothing and draw no random
   * numbers, or asking would change what is decided. Arrivals, ends and new speeds in the view are
   * for {@code decide} alone.
   */
  default @Nullable String reason(View view, int job) {
    return null;
  }
}
