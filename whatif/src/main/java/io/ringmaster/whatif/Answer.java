package io.ringmaster.whatif;

import io.ringmaster.policy.KnownLengths;
import java.util.List;
import java.util.Optional;

/**
 * What a site's history says of some changes.
 *
 * @param truth what happened; none if the history does not tell
 * @param cases the first is the replay of what is
 * @param sentences what it comes to, in words
 */
public record Answer(
    History history, Optional<Truth> truth, List<Result> cases, List<String> sentences) {

  /**
   * A case and what came of it.
   *
   * @param changes over the replay
   * @param waitDifferenceSeconds of the mean wait of the same jobs from the replay, in each draw
   * @param soonerShare of the jobs: they wait at least a minute less
   * @param laterShare of the jobs: they wait at least a minute longer
   */
  public record Result(
      Case asked,
      String policy,
      KnownLengths lengths,
      int servers,
      int gpus,
      Range waitMeanSeconds,
      Range wait95Seconds,
      Range completionMeanSeconds,
      Range completion95Seconds,
      Range goodput,
      Range lostGpuSeconds,
      Range stops,
      Changes changes,
      Range waitDifferenceSeconds,
      double soonerShare,
      double laterShare,
      List<Part> bySize,
      List<Part> byUser) {

    public String name() {
      return asked.name();
    }

    public boolean isReplay() {
      return asked.changes().isEmpty();
    }
  }

  /** Of means and 95th percentiles; 0.1: a tenth longer; NaN: from nothing to something. */
  public record Changes(
      double waitMean, double wait95, double completionMean, double completion95) {}

  /** Jobs that have something in common: their mean wait in the replay, and how it changes. */
  public record Part(String name, int jobs, double waitSeconds, double changeSeconds) {}

  public Result replay() {
    return cases.getFirst();
  }

  /** What a case is called where its numbers are shown: marked if they rest on a guess. */
  public String title(Result result) {
    boolean guess = result.asked().isOfTraffic() && history.jobsWithoutModel() > 0;
    return result.name() + (guess ? " (?)" : "");
  }
}
