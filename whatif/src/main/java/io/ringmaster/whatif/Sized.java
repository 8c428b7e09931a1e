package io.ringmaster.whatif;

import io.ringmaster.policy.KnownLengths;
import java.util.List;
import java.util.Optional;

/**
 * How many servers a goal takes.
 *
 * @param serverGpus the size of the servers of which there are more or fewer
 * @param replayPolicy the policy that explains best what happened
 * @param sentences what it comes to, in words
 */
public record Sized(
    History history,
    Goal goal,
    int serverGpus,
    String replayPolicy,
    List<Needed> policies,
    List<String> sentences) {

  /**
   * What a policy needs.
   *
   * @param stops of jobs there, for others; at the last size that was tried if none is enough
   * @param fewest the smallest cluster that meets the goal; none: no number of servers does
   * @param curve all sizes that were tried, the smallest first
   */
  public record Needed(
      String policy,
      KnownLengths lengths,
      double stops,
      Optional<Point> fewest,
      List<Point> curve) {
    /** The largest that was tried and is smaller than the answer. */
    public Optional<Point> oneFewer() {
      return fewest.flatMap(answer ->
          curve.stream()
              .filter(point -> point.servers() < answer.servers())
              .reduce((_, last) -> last));
    }
  }

  /**
   * A cluster that was tried.
   *
   * @param servers of all sizes
   * @param seconds the figure that the goal is about
   */
  public record Point(int servers, int gpus, Range seconds) {}
}
