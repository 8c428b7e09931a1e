package io.ringmaster.control.api;

import io.ringmaster.control.plane.Outlook;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is expected of all open jobs that a caller may see. A test compares it with openapi.yaml and
 * with the dashboard's types.
 *
 * @param asOfSeconds when the queue stood as it is taken to stand, since 1970; null: nothing is
 *     known yet
 * @param basis on what it rests, in words
 */
record QueueForecast(@Nullable Double asOfSeconds, String basis, List<JobForecast> jobs) {
  /** Before the first simulation has ended. */
  static final QueueForecast NONE =
      new QueueForecast(null, "no prediction yet: the queue is being simulated", List.of());

  /**
   * Of a job.
   *
   * @param place among those that wait, in the order in which they are to start; null: it does not
   *     wait, or that is not known
   * @param startSeconds of one that waits; null: as for the place
   * @param endSeconds null: not known
   */
  record JobForecast(
      long id,
      @Nullable Integer place,
      @Nullable Double startSeconds,
      @Nullable Double endSeconds) {}

  static QueueForecast of(Outlook outlook, Caller caller) {
    return new QueueForecast(
        outlook.madeSeconds(),
        outlook.basis(),
        outlook.expected().stream()
            .filter(expected -> caller.sees(expected.user()))
            .sorted(Comparator.comparingLong(Outlook.Expected::job))
            .map(expected ->
                new JobForecast(
                    expected.job(),
                    expected.place() == 0 ? null : expected.place(),
                    Shapes.number(expected.startSeconds()),
                    Shapes.number(expected.endSeconds())))
            .toList());
  }
}
