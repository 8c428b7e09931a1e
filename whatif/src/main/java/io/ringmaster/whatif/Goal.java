package io.ringmaster.whatif;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.Units;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a site wants of its waits, such as {@code p95 wait < 30min}.
 *
 * @param share of the jobs that are to stay below the limit; NaN: their mean is
 * @param ofCompletion whether it is about the time from submission to end, and not the wait
 */
public record Goal(double share, boolean ofCompletion, double limitSeconds) {
  private static final Pattern TEXT =
      Pattern.compile("(mean|p50|p95|p99)\\s+(wait|jct|completion)\\s*<\\s*(\\S.*)");

  /** Reads a goal. */
  public static Goal parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new BadInput(
          "'%s' is no goal; expected such as \"p95 wait < 30min\": mean, p50, p95 or p99 of wait or jct"
              .formatted(text.strip()));
    }
    String statistic = matcher.group(1);
    double limit = Units.seconds(matcher.group(3));
    if (!(limit > 0)) {
      throw new BadInput(
          "'%s': nothing is below 0; expected such as 30min".formatted(text.strip()));
    }
    return new Goal(
        statistic.equals("mean") ? Double.NaN : Integer.parseInt(statistic.substring(1)) / 100.0,
        !matcher.group(2).equals("wait"),
        limit);
  }

  /** What is to be below the limit: {@code p95 wait}. */
  public String figure() {
    String statistic = isMean() ? "mean" : "p" + Math.round(100 * share);
    return statistic + (ofCompletion ? " JCT" : " wait");
  }

  /** All of it: {@code p95 wait < 30 min}. */
  public String text() {
    return "%s < %s".formatted(figure(), Spoken.time(limitSeconds));
  }

  private boolean isMean() {
    return Double.isNaN(share);
  }

  double of(Outcome outcome) {
    if (ofCompletion) {
      return isMean() ? outcome.meanCompletion() : outcome.completion(share);
    }
    return isMean() ? outcome.meanWait() : outcome.wait(share);
  }
}
