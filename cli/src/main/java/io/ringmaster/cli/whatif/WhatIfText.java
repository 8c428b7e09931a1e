package io.ringmaster.cli.whatif;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.whatif.Answer;
import io.ringmaster.whatif.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** An answer as a table, all times of a column in one unit, and sentences below it. */
record WhatIfText(Answer answer, int draws) {
  private static final int SENTENCE_COLUMNS = 78;
  private static final double HOUR = 3600;

  String text(boolean wide) {
    Durations waits = unit(Answer.Result::waitMeanSeconds);
    Durations tails = unit(Answer.Result::wait95Seconds);
    Durations completions = unit(Answer.Result::completionMeanSeconds);
    List<String> header =
        new ArrayList<>(
            List.of(
                "case",
                "wait, " + waits.label(),
                "change",
                "p95, " + tails.label(),
                "JCT, " + completions.label(),
                "sooner",
                "later"));
    if (wide) {
      header.addAll(
          List.of(
              "GPUs", "policy", "lengths", "lost, GPU h", "goodput", "stops", "wait over draws"));
    }
    Table table = new Table(header);
    answer
        .truth()
        .ifPresent(past ->
            table.row(
                padded(
                    List.of(
                        "as it happened",
                        waits.number(past.waitMeanSeconds()),
                        "",
                        tails.number(past.wait95Seconds()),
                        completions.number(past.completionMeanSeconds())),
                    header.size())));
    for (Answer.Result result : answer.cases()) {
      boolean isReplay = result.isReplay();
      List<String> cells =
          new ArrayList<>(
              List.of(
                  isReplay ? "replay (%s)".formatted(result.policy()) : result.name(),
                  waits.number(result.waitMeanSeconds().mean()),
                  isReplay ? "" : percent("%+.0f %%", result.waitChange()),
                  tails.number(result.wait95Seconds().mean()),
                  completions.number(result.completionMeanSeconds().mean()),
                  isReplay ? "" : percent("%.0f %%", result.soonerShare()),
                  isReplay ? "" : percent("%.0f %%", result.laterShare())));
      if (wide) {
        Range wait = result.waitMeanSeconds();
        cells.addAll(
            List.of(
                Integer.toString(result.gpus()),
                result.policy(),
                result.lengths().word(),
                String.format(Locale.ROOT, "%,.0f", result.lostGpuSeconds().mean() / HOUR),
                percent("%.1f %%", result.goodput().mean()),
                String.format(Locale.ROOT, "%,.0f", result.stops().mean()),
                "%s to %s".formatted(waits.number(wait.low()), waits.number(wait.high()))));
      }
      table.row(cells);
    }
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%,d jobs, %d servers, %d GPUs; means of %d draws of what is not known%n%n",
            answer.history().jobs().size(),
            answer.history().cluster().size(),
            answer.history().cluster().totalGpus(),
            draws));
    text.append(table.text()).append('\n');
    answer.sentences().forEach(sentence -> text.append(wrapped("- " + sentence)));
    text.append(
        "\n"
            + "wait: mean; p95: of 100 jobs 95 wait less; JCT: from submission to end; sooner,"
            + " later: jobs\n"
            + "that wait over a minute less or more. All schedules were validated."
            + (wide ? "" : " More columns: --wide.")
            + "\n");
    return text.toString();
  }

  /** One that fits the replay: most people know how that was. */
  private Durations unit(Function<Answer.Result, Range> figure) {
    return Durations.fitting(figure.apply(answer.replay()).mean() / 2);
  }

  private static List<String> padded(List<String> cells, int size) {
    return Stream.concat(cells.stream(), Stream.generate(() -> "")).limit(size).toList();
  }

  private static String percent(String format, double share) {
    return String.format(Locale.ROOT, format, 100 * share);
  }

  private static String wrapped(String text) {
    StringBuilder out = new StringBuilder();
    int column = 0;
    for (String word : text.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > SENTENCE_COLUMNS) {
        out.append("\n ");
        column = 1;
      }
      out.append(column == 0 ? "" : " ").append(word);
      column += word.length() + 1;
    }
    return out.append('\n').toString();
  }
}
