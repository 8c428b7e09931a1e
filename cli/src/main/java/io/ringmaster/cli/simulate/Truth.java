package io.ringmaster.cli.simulate;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.model.Past;
import io.ringmaster.report.ComparisonReport;
import io.ringmaster.report.ReplayedTruth;
import io.ringmaster.simulator.Summary;
import io.ringmaster.workload.json.RecordFields.Inline;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What happened to the jobs of a comparison in truth, and how close replays of it come.
 *
 * @param replayed under policies that sites have: plain Slurm, and Slurm with backfill
 */
record Truth(@Inline Past past, List<ReplayedTruth> replayed) {
  /** Which of them the site had is not known; whichever comes closer is taken for it. */
  private static final List<String> LIKELY_POLICIES = List.of("fifo", "easy");

  static Truth of(Past past, List<ComparedPolicy> policies) {
    return new Truth(
        past,
        policies.stream()
            .filter(policy -> LIKELY_POLICIES.contains(policy.policy()))
            .map(policy ->
                new ReplayedTruth(
                    policy.policy(),
                    policy.of(Summary::waitMeanSeconds).mean() / past.waitMeanSeconds() - 1,
                    policy.of(Summary::jctMeanSeconds).mean() / past.jctMeanSeconds() - 1))
            .sorted(Comparator.comparingDouble(replay -> Math.abs(replay.waitError())))
            .toList());
  }

  /** The replay that comes closest. */
  Optional<ReplayedTruth> nearest() {
    return replayed.stream().findFirst();
  }

  /**
   * For a cell: how far off a replay under a policy is; empty if the policy is not a likely one.
   */
  String error(String policy) {
    return replayed.stream()
        .filter(replay -> replay.policy().equals(policy))
        .map(replay -> percent(replay.waitError()))
        .findFirst()
        .orElse("");
  }

  ComparisonReport.Truth forPage() {
    return new ComparisonReport.Truth(past.jobs(), ComparedPolicy.figures(past), replayed);
  }

  String sentence() {
    String waited =
        "As it happened: jobs waited %s in the mean"
            .formatted(Durations.text(past.waitMeanSeconds()));
    return nearest()
        .map(replay ->
            "%s; replayed %s: wait %s, mean JCT %s%s."
                .formatted(
                    waited,
                    replay.policy(),
                    percent(replay.waitError()),
                    percent(replay.jctError()),
                    replayed.size() > 1
                        ? ", the closer of %s".formatted(String.join(" and ", LIKELY_POLICIES))
                        : ""))
        .orElse(
            waited
                + ". Compare %s too, to see how close a replay comes."
                    .formatted(String.join(" and ", LIKELY_POLICIES)));
  }

  private static String percent(double share) {
    if (!Double.isFinite(share)) {
      return "-";
    }
    long percent = Math.round(100 * share);
    return percent == 0 ? "0 %" : String.format(Locale.ROOT, "%+d %%", percent);
  }
}
