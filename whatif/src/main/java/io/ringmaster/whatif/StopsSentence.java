package io.ringmaster.whatif;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which policies stop jobs for others. That is of use only if jobs go on where they were, which
 * histories of schedulers that stop nobody do not tell.
 */
final class StopsSentence {
  private StopsSentence() {}

  /**
   * Empty if no policy stops a job, if the history tells which jobs can go on, or if servers fail:
   * then most stops may be failures.
   *
   * @param stopsByPolicy how often it did
   */
  static Optional<String> of(History history, Map<String, Double> stopsByPolicy) {
    List<Map.Entry<String, Double>> stopping =
        stopsByPolicy.entrySet().stream().filter(each -> each.getValue() > 0).toList();
    if (stopping.isEmpty()
        || !history.jobs().allResumable()
        || !history.cluster().failures().isNone()) {
      return Optional.empty();
    }
    return Optional.of(
        ("Jobs are stopped for others by %s. Each is taken to go on where it was, %s after it"
             + " starts again, and the history does not tell whether it can: --not-resumable asks"
             + " as if none could.")
            .formatted(
                stopping.stream()
                    .map(each ->
                        "%s (%s)".formatted(each.getKey(), times(Math.ceil(each.getValue()))))
                    .collect(Collectors.joining(", ")),
                Spoken.time(history.cluster().restartSeconds())));
  }

  private static String times(double count) {
    return count == 1 ? "once" : Spoken.whole((long) count) + " times";
  }
}
