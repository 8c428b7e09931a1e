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
                        with(waits.number(past.waitMeanSeconds()), ""),
                        with(tails.number(past.wait95Seconds()), ""),
                        with(completions.number(past.completionMeanSeconds()), ""),
                        "",
                        "",
                        with(completionTails.number(past.completion95Seconds()), "")),
                    header.size())));
    for (Answer.Result result : answer.cases()) {
      boolean isReplay = result.isReplay();
      Range wait = result.waitMeanSeconds();
      Answer.Changes changes = isReplay ? errors() : result.changes();
      table.row(
          isReplay ? "replay (%s)".formatted(result.policy()) : answer.title(result),
          result.lengths().word(),
          with(waits.number(wait.mean()), change(changes.waitMean())),
          with(tails.number(result.wait95Seconds().mean()), change(changes.wait95())),
          with(
              completions.number(result.completionMeanSeconds().mean()),
              change(changes.completionMean())),
          isReplay ? "" : percent("%.0f %%", result.soonerShare()),
          isReplay ? "" : percent("%.0f %%", result.laterShare()),
          with(
              completionTails.number(result.completion95Seconds().mean()),
              change(changes.completion95())),
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
                "wait: mean; p95: of 100 jobs 95 wait less; JCT: mean from submission to end; each"
                    + " with its change over the replay, that of the replay over what happened;"
                    + " sooner, later: jobs that wait over a minute less or more; (?): rests on"
                    + " guesses. All schedules were validated."));
  }

  /** Of the replay, over what happened. */
  private Answer.Changes errors() {
    Answer.Result replay = answer.replay();
    return answer
        .truth()
        .map(past ->
            new Answer.Changes(
                replay.waitMeanSeconds().mean() / past.waitMeanSeconds() - 1,
                replay.wait95Seconds().mean() / past.wait95Seconds() - 1,
                replay.completionMeanSeconds().mean() / past.completionMeanSeconds() - 1,
                replay.completion95Seconds().mean() / past.completion95Seconds() - 1))
        .orElse(new Answer.Changes(Double.NaN, Double.NaN, Double.NaN, Double.NaN));
  }

  /** A number and its change, below each other in all rows. */
  private static String with(String number, String change) {
    return "%s %6s".formatted(number, change);
  }

  private static String change(double share) {
    return Double.isFinite(share) ? percent("%+.0f %%", share) : "";
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
