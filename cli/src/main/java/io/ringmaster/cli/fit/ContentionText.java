package io.ringmaster.cli.fit;

import static io.ringmaster.cli.terminal.FitFigures.UNKNOWN;
import static io.ringmaster.cli.terminal.FitFigures.number;
import static io.ringmaster.cli.terminal.FitFigures.percent;
import static io.ringmaster.cli.terminal.FitFigures.warnings;

import io.ringmaster.cli.terminal.Table;
import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.ByteSize;
import io.ringmaster.predictor.contention.ContentionFit;
import io.ringmaster.predictor.contention.ContentionLine;
import io.ringmaster.predictor.contention.Degradation;
import io.ringmaster.predictor.contention.Residuals;
import io.ringmaster.predictor.regression.Estimate;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A fit of contention for a person. */
final class ContentionText {
  private ContentionText() {}

  static String of(List<AllReduceTime> times, ContentionFit fit, int columns) {
    return headline(times, fit)
        + "\n\n"
        + parameters(fit.line())
        + "\n"
        + quality(fit.line())
        + "\n\n"
        + advice(fit.line())
        + "\n"
        + (fit.degradation().size() > 1 ? factors(fit, columns) + "\n" : "")
        + sizes(fit)
        + "\n"
        + subsets(fit)
        + "\n"
        + warnings(fit.warnings(), "line");
  }

  private static String headline(List<AllReduceTime> times, ContentionFit fit) {
    double most = fit.byJobs().getLast().of();
    int sizes = fit.byBytes().size();
    String smallest = ByteSize.text(fit.byBytes().getFirst().of());
    String largest = ByteSize.text(fit.byBytes().getLast().of());
    return String.format(
        Locale.ROOT,
        "%,d all-reduce times of up to %.0f job%s at once; %s",
        times.size(),
        most,
        most == 1 ? "" : "s",
        sizes == 1 ? smallest : sizes + " sizes from " + smallest + " to " + largest);
  }

  private static String parameters(ContentionLine line) {
    Table table = new Table("T = a + k b M + (k - 1) eta M", "value", "95 % from", "to");
    parameter(table, "a, s", line.a());
    parameter(table, "b, s/byte", line.b());
    parameter(table, "eta, s/byte", line.eta());
    parameter(table, "alpha = eta / b", line.alpha());
    parameter(table, "AdaDUAL's threshold b / (2 (b + eta))", line.threshold());
    return table.text();
  }

  private static void parameter(Table table, String name, @Nullable Estimate estimate) {
    if (estimate == null) {
      table.row(name, UNKNOWN, "", "");
    } else {
      table.row(name, number(estimate.value()), number(estimate.low()), number(estimate.high()));
    }
  }

  private static String quality(ContentionLine line) {
    String rate =
        line.b().value() > 0 ? "; 1 / b is " + ByteSize.text(1 / line.b().value()) + "/s" : "";
    return String.format(
        Locale.ROOT,
        "R^2 %s; times are off by %s (root mean square)%s",
        number(line.rSquared()),
        percent(line.relativeRmse()),
        rate);
  }

  /** What to write into a cluster file. */
  private static String advice(ContentionLine line) {
    Estimate alpha = line.alpha();
    if (alpha == null) {
      return "No alpha for a cluster file follows from these times.\n";
    }
    String shared =
        "In a cluster file:\n\n    network:\n      alpha: " + atLeastZero(alpha, "") + "\n";
    Estimate a = line.a();
    Estimate b = line.b();
    Estimate eta = line.eta();
    if (eta == null || b.value() <= 0) {
      return shared;
    }
    return shared
        + "\nor, with these times as they are:\n\n    network:\n      model: measured\n"
        + "      startup: %s%n      perByte: %s%n      penalty: %s%n"
            .formatted(
                a == null ? "0s" : atLeastZero(a, "s"),
                atLeastZero(b, "s/B"),
                atLeastZero(eta, "s/B"))
        + (negative(a) || negative(eta)
            ? "\nWhat is below 0 a cluster file does not take: it stands there as 0.\n"
            : "");
  }

  private static boolean negative(@Nullable Estimate estimate) {
    return estimate != null && estimate.value() < 0;
  }

  private static String atLeastZero(Estimate estimate, String unit) {
    return estimate.value() <= 0 ? "0" + unit : number(estimate.value()) + unit;
  }

  private static String factors(ContentionFit fit, int columns) {
    Table table =
        new Table(
                "T(k) / T(1)",
                "measured",
                "95 % from",
                "to",
                "lowest",
                "highest",
                "fitted",
                "k + alpha (k - 1)",
                "alpha by this k",
                "off the line")
            .optional("off the line", "lowest", "highest", "alpha by this k");
    for (Degradation each : fit.degradation()) {
      Residuals off =
          fit.byJobs().stream().filter(r -> r.of() == each.jobs()).findFirst().orElseThrow();
      table.row(
          "k = " + each.jobs(),
          factor(each.measured().value()),
          factor(each.measured().low()),
          factor(each.measured().high()),
          factor(each.lowest()),
          factor(each.highest()),
          factor(each.fitted()),
          factor(each.linear()),
          factor(each.alphaHere()),
          off(off));
    }
    return table.text(columns);
  }

  private static String sizes(ContentionFit fit) {
    Table table = new Table("size", "times", "off the line", "95 % from", "to");
    for (Residuals each : fit.byBytes()) {
      table.row(
          ByteSize.text(each.of()),
          String.valueOf(each.points()),
          off(each),
          percent(each.mean().low()),
          percent(each.mean().high()));
    }
    boolean star =
        Stream.concat(fit.byJobs().stream(), fit.byBytes().stream())
            .anyMatch(Residuals::significant);
    return table.text() + (star ? "* more than chance, at 5 % for all rows together\n" : "");
  }

  private static String off(Residuals residuals) {
    return percent(residuals.mean().value()) + (residuals.significant() ? " *" : "");
  }

  private static String subsets(ContentionFit fit) {
    Table table =
        new Table("fit of", "a, s", "b, s/byte", "eta, s/byte", "alpha", "95 % from", "to")
            .words("fit of");
    subset(table, "all", fit.line());
    for (ContentionFit.Subset each : fit.subsets()) {
      String name =
          switch (each.kind()) {
            case ONE_SIZE -> ByteSize.text(each.bytes()) + ", a = 0";
            case WITHOUT_SMALLEST -> "without " + ByteSize.text(each.bytes());
            case ONE_JOB -> "one job";
            case ONE_JOB_WITHOUT_SMALLEST -> "one job without " + ByteSize.text(each.bytes());
            case ABSOLUTE_ERRORS -> "all, not weighted";
          };
      subset(table, name, each.line());
    }
    return table.text();
  }

  private static void subset(Table table, String name, ContentionLine line) {
    table.row(
        name,
        value(line.a()),
        value(line.b()),
        value(line.eta()),
        value(line.alpha()),
        line.alpha() == null ? UNKNOWN : number(line.alpha().low()),
        line.alpha() == null ? UNKNOWN : number(line.alpha().high()));
  }

  private static String value(@Nullable Estimate estimate) {
    return estimate == null ? UNKNOWN : number(estimate.value());
  }

  private static String factor(double value) {
    return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, "%.2f", value);
  }
}
