package io.ringmaster.cli.fit;

import static io.ringmaster.cli.terminal.FitFigures.UNKNOWN;
import static io.ringmaster.cli.terminal.FitFigures.number;
import static io.ringmaster.cli.terminal.FitFigures.percent;
import static io.ringmaster.cli.terminal.FitFigures.warnings;

import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.predictor.speed.HoldOut;
import io.ringmaster.predictor.speed.RelativeErrors;
import io.ringmaster.predictor.speed.SpeedForm;
import io.ringmaster.predictor.speed.SpeedParameter;
import io.ringmaster.predictor.speed.StepTime;
import io.ringmaster.workload.ModelsFile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Fits of speed for a person. */
final class SpeedText {
  private SpeedText() {}

  static String of(SpeedReport report) {
    return report.results().stream().map(r -> model(report, r)).collect(Collectors.joining("\n"))
        + (report.split().share() > 0 ? "\n" + heldOut(report) : "")
        + "\nIn a models file, which --models of simulate and compare takes:\n\n"
        + ModelsFile.text(report.profiles()).indent(4)
        + "\n"
        + Prose.wrapped(
            "gradient_bytes is 0, since times do not say it; the network model contention does not"
                + " need it.");
  }

  private static String model(SpeedReport report, SpeedResult result) {
    return headline(result)
        + "\n\n"
        + parameters(report.form(), result)
        + "\n"
        + quality(result)
        + "\n\n"
        + predicted(result)
        + "\n"
        + warnings(result.warnings(), "form");
  }

  private static String headline(SpeedResult result) {
    List<StepTime> times = result.times();
    int least = times.stream().mapToInt(StepTime::workers).min().orElseThrow();
    int most = times.stream().mapToInt(StepTime::workers).max().orElseThrow();
    int servers = times.stream().mapToInt(StepTime::servers).max().orElseThrow();
    long batches = times.stream().map(StepTime::batch).distinct().count();
    return String.format(
        Locale.ROOT,
        "%s: %,d times of %d to %d workers on up to %d server%s; %d batch%s",
        result.model(),
        times.size(),
        least,
        most,
        servers,
        servers == 1 ? "" : "s",
        batches,
        batches == 1 ? "" : "es");
  }

  private static String parameters(SpeedForm form, SpeedResult result) {
    Table table = new Table("parameter", "value", "95 % from", "to", "note");
    for (SpeedParameter parameter : SpeedParameter.values()) {
      Estimate estimate = result.fit().parameters().get(parameter);
      boolean open = result.fit().undetermined().contains(parameter);
      if (estimate != null) {
        table.row(
            parameter.text(),
            number(estimate.value()),
            number(estimate.low()),
            number(estimate.high()),
            open ? "not told apart" : "");
      } else if (form == SpeedForm.PLACED || open) {
        String value = parameter == SpeedParameter.OVERLAP ? "1" : "0";
        table.row(parameter.text(), value, UNKNOWN, UNKNOWN, "not told");
      }
    }
    return table.text();
  }

  private static String quality(SpeedResult result) {
    RelativeErrors errors = result.errors();
    return "Times are off by %s (median), %s (mean); nine in ten by at most %s"
        .formatted(percent(errors.median()), percent(errors.mean()), percent(errors.p90()));
  }

  private static String predicted(SpeedResult result) {
    Table table =
        new Table(
            "workers", "servers", "fitted, s", "95 % from", "to", "measured", "times one worker");
    for (SpeedResult.Predicted each : result.predicted()) {
      table.row(
          String.valueOf(each.workers()),
          String.valueOf(each.servers()),
          number(each.seconds().value()),
          number(each.seconds().low()),
          number(each.seconds().high()),
          measured(result, each),
          String.format(Locale.ROOT, "%.2f", each.speedup()));
    }
    return "With a batch of %s:%n%n".formatted(plain(result.batch())) + table.text();
  }

  private static String measured(SpeedResult result, SpeedResult.Predicted where) {
    return result.fit().points().stream()
        .filter(p -> p.workers() == where.workers() && p.servers() == where.servers())
        .filter(p -> p.mostOnOne() == Math.ceilDiv(p.workers(), p.servers()))
        .filter(p -> p.batch() == result.batch())
        .map(p -> number(p.seconds()))
        .findFirst()
        .orElse(UNKNOWN);
  }

  static String plain(double batch) {
    return batch == Math.rint(batch) ? String.valueOf((long) batch) : number(batch);
  }

  private static String heldOut(SpeedReport report) {
    Map<HoldOut.Method, RelativeErrors> all = report.heldOut();
    if (all.isEmpty()) {
      return "No model has places enough to hold some out.\n";
    }
    Table table = new Table("form", "off by, median, %", "mean, %", "nine in ten by at most, %");
    int places = 0;
    int held = 0;
    for (SpeedResult result : report.results()) {
      HoldOut holdOut = result.holdOut();
      if (holdOut != null) {
        places += holdOut.places();
        held += holdOut.heldOut();
        rows(table, result.model(), holdOut.heldOut(), holdOut.places(), holdOut.errors());
      }
    }
    if (report.results().size() > 1) {
      rows(table, "all", held, places, all);
    }
    return "Fitted without some of the places, and compared with times there:\n\n" + table.text();
  }

  private static void rows(
      Table table, String name, int held, int places, Map<HoldOut.Method, RelativeErrors> methods) {
    table.heading("%s: %d of %d places held out".formatted(name, held, places));
    methods.forEach((method, errors) ->
        table.row(
            "  " + SpeedReport.name(method),
            tenths(errors.median()),
            tenths(errors.mean()),
            tenths(errors.p90())));
  }

  private static String tenths(double share) {
    return String.format(Locale.ROOT, "%.1f", 100 * share);
  }
}
