package io.ringmaster.cli.calibrate;

import static io.ringmaster.cli.terminal.FitFigures.UNKNOWN;
import static io.ringmaster.cli.terminal.FitFigures.number;
import static io.ringmaster.cli.terminal.FitFigures.percent;

import io.ringmaster.calibration.Calibration;
import io.ringmaster.calibration.HeldOut;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.predictor.contention.ByteSize;
import io.ringmaster.predictor.contention.SharedLink;
import io.ringmaster.predictor.regression.Estimate;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was measured, for a person. */
final class CalibrationText {
  private CalibrationText() {}

  static String of(
      Calibration found,
      Calibration.Plan plan,
      CalibratedFile file,
      @Nullable Path out,
      int columns) {
    StringBuilder text = new StringBuilder();
    text.append(
        Prose.wrapped(
            "%d all-reduce times of up to %d ring%s of %d processes; messages of %s"
                .formatted(
                    found.times().size(),
                    plan.rings(),
                    plan.rings() == 1 ? "" : "s",
                    plan.workers(),
                    found.sizes().stream().map(ByteSize::text).collect(Collectors.joining(", ")))));
    text.append('\n').append(parameters(found)).append('\n');
    if (plan.rings() > 1) {
      text.append(factors(found)).append('\n');
    }
    text.append(limit(found)).append('\n');
    SharedLink link = found.link();
    if (link != null) {
      text.append(cases(link, columns)).append('\n').append(verdict(link)).append('\n');
    }
    HeldOut heldOut = found.heldOut();
    if (heldOut != null) {
      if (heldOut.otherPlaces().findAny().isPresent()) {
        text.append(places(heldOut, columns)).append('\n');
      }
      text.append(iterations(heldOut)).append('\n');
    }
    found.fit().warnings().forEach(warning -> text.append(Prose.wrapped("Mind: ", warning)));
    if (!found.fit().warnings().isEmpty()) {
      text.append('\n');
    }
    if (out == null) {
      text.append("In a cluster file (--out writes one), with nic: ")
          .append(number(8e-9 * found.nicBytesPerSecond().value()))
          .append("Gbps:\n\n")
          .append(file.network().indent(4));
    } else {
      text.append("Written to ").append(out).append(": model ");
      text.append(file.cluster().network().word()).append(".\n");
    }
    return text.toString();
  }

  private static String parameters(Calibration found) {
    Table table = new Table("measured", "value", "95 % from", "to");
    row(table, "latency of a step, us", found.stepSeconds(), 1e6);
    row(table, "bandwidth of one ring, MB/s each way", found.nicBytesPerSecond(), 1e-6);
    Calibration.Inside inside = found.inside();
    if (inside != null) {
      row(table, "latency of a step inside a node, us", inside.stepSeconds(), 1e6);
      row(table, "bandwidth inside a node, MB/s", inside.bytesPerSecond(), 1e-6);
    }
    row(table, "alpha", found.fit().line().alpha(), 1);
    return table.text();
  }

  private static void row(Table table, String name, @Nullable Estimate estimate, double unit) {
    if (estimate != null) {
      table.row(
          name,
          number(unit * estimate.value()),
          number(unit * estimate.low()),
          number(unit * estimate.high()));
    }
  }

  private static String factors(Calibration found) {
    Table table =
        new Table("f(k), largest message", "measured", "95 % from", "to", "k + alpha (k - 1)");
    for (int k = 1; k <= found.factors().size(); k++) {
      Estimate factor = found.factors().get(k - 1);
      table.row(
          "k = " + k,
          number(factor.value()),
          number(factor.low()),
          number(factor.high()),
          number(found.fit().line().degradation(k)));
    }
    return table.text();
  }

  private static String limit(Calibration found) {
    String text =
        String.format(
            Locale.ROOT,
            "With all rings at once their processes used %.2f of this machine's %d processors,"
                + " which were %s busy in all. %s",
            found.usedCores(),
            Runtime.getRuntime().availableProcessors(),
            Double.isNaN(found.busyShare()) ? UNKNOWN : percent(found.busyShare()),
            switch (found.limit()) {
              case PROCESSORS ->
                  "So processors limit them, not links: alpha is that of sharing processors.";
              case OTHERS ->
                  "Others kept the processors busy, and the rings may have waited for that: measure"
                      + " again when it is quiet.";
              case LINKS -> "So processors do not limit them.";
            });
    return Prose.wrapped(text);
  }

  private static String cases(SharedLink link, int columns) {
    Table table =
        new Table(
                "not fitted: rings that compute",
                "ring",
                "exchange, ms",
                "95 % from",
                "to",
                "contention, ms",
                "contention off",
                "transmit, ms",
                "transmit off")
            .words("not fitted: rings that compute")
            .optional("95 % from", "to", "contention, ms", "transmit, ms");
    for (SharedLink.Row row : link.rows()) {
      table.row(
          row.name(),
          String.valueOf(row.ring() + 1),
          number(1e3 * row.exchange().value()),
          number(1e3 * row.exchange().low()),
          number(1e3 * row.exchange().high()),
          number(1e3 * row.contention()),
          percent(row.contentionError()),
          number(1e3 * row.transmit()),
          percent(row.transmitError()));
    }
    return table.text(columns);
  }

  private static String places(HeldOut heldOut, int columns) {
    Table table =
        new Table(
                "not fitted: elsewhere, 50 %",
                "ring",
                "iteration, ms",
                "95 % from",
                "to",
                "contention, ms",
                "contention off",
                "transmit, ms",
                "transmit off")
            .words("not fitted: elsewhere, 50 %")
            .optional("95 % from", "to", "contention, ms", "transmit, ms");
    heldOut
        .otherPlaces()
        .forEach(row ->
            table.row(
                row.name(),
                String.valueOf(row.ring() + 1),
                number(1e3 * row.iteration().value()),
                number(1e3 * row.iteration().low()),
                number(1e3 * row.iteration().high()),
                number(1e3 * row.contention()),
                percent(row.contentionError()),
                number(1e3 * row.transmit()),
                percent(row.transmitError())));
    return table.text(columns);
  }

  private static String iterations(HeldOut heldOut) {
    HeldOut.Errors contention = heldOut.contention();
    HeldOut.Errors transmit = heldOut.transmit();
    return Prose.wrapped(
        ("Whole iterations of all %d rings that were not fitted: contention is off by %s at the"
                + " median and %s at the 90th percentile, transmit by %s and %s.")
            .formatted(
                heldOut.rows().size(),
                percent(contention.median()),
                percent(contention.ninetieth()),
                percent(transmit.median()),
                percent(transmit.ninetieth())));
  }

  private static String verdict(SharedLink link) {
    Estimate gain = link.gain();
    String better =
        link.transmitIsTruer()
            ? "transmit is the truer model"
            : link.contentionIsTruer()
                ? "contention is the truer model"
                : "which model is truer cannot be told from these";
    return Prose.wrapped(
        "Mean error over cases: contention %s, transmit %s; the difference is %s (%s to %s): %s."
            .formatted(
                percent(link.contentionError().value()),
                percent(link.transmitError().value()),
                percent(gain.value()),
                percent(gain.low()),
                percent(gain.high()),
                better));
  }
}
