package io.ringmaster.cli.whatif;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.whatif.Answer;
import io.ringmaster.whatif.Range;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** An answer as a table, all times of a column in one unit, and sentences below it. */
record WhatIfText(Answer answer, int draws) {
  private static final double HOUR = 3600;

  String text(int columns) {
    Durations waits = unit(Answer.Result::waitMeanSeconds);
    Durations tails = unit(Answer.Result::wait95Seconds);
    Durations completions = unit(Answer.Result::completionMeanSeconds);
    Durations completionTails = unit(Answer.Result::completion95Seconds);
    List<String> header =
        List.of(
            "case",
            "lengths",
            "wait, " + waits.label(),
            "change",
            "p95, " + tails.label(),
            "JCT, " + completions.label(),
            "sooner",
            "later",
            "JCT p95, " + completionTails.label(),
            "GPUs",
            "policy",
            "lost, GPU h",
            "goodput",
            "stops",
            "wait over draws");
    Table table =
        new Table(header)
            .words("case")
            .left("lengths", "policy")
            .optional(
                "wait over draws",
                "JCT p95, " + completionTails.label(),
                "goodput",
                "lost, GPU h",
                "stops",
                "policy",
                "GPUs",
                "later");
    answer
        .truth()
        .ifPresent(past ->
            table.row(
                padded(
                    List.of(
                        "as it happened",
                        "",
                        waits.number(past.waitMeanSeconds()),
                        "",
                        tails.number(past.wait95Seconds()),
                        completions.number(past.completionMeanSeconds()),
                        "",
                        "",
                        completionTails.number(past.completion95Seconds())),
                    header.size())));
    for (Answer.Result result : answer.cases()) {
      boolean isReplay = result.isReplay();
      Range wait = result.waitMeanSeconds();
      table.row(
          isReplay ? "replay (%s)".formatted(result.policy()) : answer.title(result),
          result.lengths().word(),
          waits.number(wait.mean()),
          isReplay ? error() : percent("%+.0f %%", result.waitChange()),
          tails.number(result.wait95Seconds().mean()),
          completions.number(result.completionMeanSeconds().mean()),
          isReplay ? "" : percent("%.0f %%", result.soonerShare()),
          isReplay ? "" : percent("%.0f %%", result.laterShare()),
          completionTails.number(result.completion95Seconds().mean()),
          Integer.toString(result.gpus()),
          result.policy(),
          String.format(Locale.ROOT, "%,.0f", result.lostGpuSeconds().mean() / HOUR),
          percent("%.1f %%", result.goodput().mean()),
          String.format(Locale.ROOT, "%,.0f", result.stops().mean()),
          "%s to %s".formatted(waits.number(wait.low()), waits.number(wait.high())));
    }
    return "%s%n%s%n%s%n%s"
        .formatted(
            AnswerText.headline(answer.history(), draws),
            table.text(columns),
            AnswerText.sentences(answer.sentences()),
            Prose.wrapped(
                "wait: mean; change: over the replay, and of the replay over what happened; p95: of"
                    + " 100 jobs 95 wait less; JCT: from submission to end; sooner, later: jobs"
                    + " that wait over a minute less or more; (?): rests on guesses. All schedules"
                    + " were validated."));
  }

  /** Of the replay, over what happened. */
  private String error() {
    return answer
        .truth()
        .map(past -> answer.replay().waitMeanSeconds().mean() / past.waitMeanSeconds() - 1)
        .map(share -> percent("%+.0f %%", share))
        .orElse("");
  }

  /** One that fits the replay: most people know how that was. */
  private Durations unit(Function<Answer.Result, Range> figure) {
    return Durations.fitting(figure.apply(answer.replay()).mean() / 2);
  }

  private static List<String> padded(List<String> cells, int size) {
    return Stream.concat(cells.stream(), Stream.generate(() -> "")).limit(size).toList();
  }

  private static String percent(String format, double share) {
    return Double.isNaN(share) ? "" : String.format(Locale.ROOT, format, 100 * share);
  }
}
