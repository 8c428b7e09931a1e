package io.ringmaster.cli.advise;

import io.ringmaster.advise.Check;
import io.ringmaster.advise.Clock;
import io.ringmaster.cli.chart.Chart;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.experiments.Plot;
import java.util.List;
import java.util.Locale;

/** How often forecasts held, as a table and as a plot. */
record CheckText(Check.Coverage coverage, int draws) {
  /** Two deviations: what chance does in 19 of 20 cases. */
  private static final double BY_CHANCE = 2;

  String text() {
    Table table = new Table("stated", "held the truth", "by chance, +-");
    for (Check.Level level : coverage.levels()) {
      table.row(
          percent(level.stated()), percent(level.held()), percent(BY_CHANCE * level.deviation()));
    }
    return String.format(
            Locale.ROOT,
            "%,d forecasts at %d moments of the past, from what was known then%n%n",
            coverage.forecasts(),
            coverage.moments())
        + table.text()
        + "\n"
        + AdviseText.wrapped(
            ("In the middle, jobs still had %s to wait, the stated 8-of-10 interval was %s wide,"
                    + " and the median was off by %s. %d futures each.")
                .formatted(
                    Clock.span(coverage.waitSeconds()),
                    Clock.span(coverage.widthSeconds()),
                    Clock.span(coverage.errorSeconds()),
                    draws),
            "")
        + left();
  }

  /** What the table does not tell of. */
  private String left() {
    String open =
        coverage.openEnds() == 0
            ? ""
            : AdviseText.wrapped(
                ("%,d forecasts had no upper end: in too many futures the job is overtaken for as"
                     + " long as others come. They count as holding whatever is above their lower"
                     + " end.")
                    .formatted(coverage.openEnds()),
                "");
    return coverage.leftOut() == 0
        ? open
        : open
            + AdviseText.wrapped(
                ("%,d more were left out: of jobs that started when nobody came any more, as on no"
                        + " site.")
                    .formatted(coverage.leftOut()),
                "");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  String plot(String name) {
    List<Plot.Point> points =
        coverage.levels().stream()
            .map(level ->
                new Plot.Point(
                    100 * level.stated(), 100 * level.held(), 100 * BY_CHANCE * level.deviation()))
            .toList();
    return new Chart(
            "How often the truth was within the stated interval",
            "stated, % of cases",
            "held, % of cases")
        .line(name, points)
        .curve("as stated", List.of(new Plot.Point(0, 0), new Plot.Point(100, 100)))
        .fromZero()
        .svg();
  }
}
