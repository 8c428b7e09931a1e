package io.ringmaster.cli.calibrate;

import static io.ringmaster.cli.terminal.FitFigures.number;
import static io.ringmaster.cli.terminal.FitFigures.percent;

import io.ringmaster.calibration.MeasuredTurns;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.predictor.contention.ByteSize;
import io.ringmaster.runs.Version;
import io.ringmaster.workload.json.Json;
import java.util.List;

/** What {@code calibrate --turns} measured. */
final class TurnsText {
  private TurnsText() {}

  private record Document(int bytes, double exchangeSeconds, List<Measured> rows, String version) {}

  private record Measured(
      int rings,
      double share,
      String way,
      double iterationSeconds,
      double leastSeconds,
      double mostSeconds,
      double error) {}

  static String json(MeasuredTurns found) {
    return Json.document(
        new Document(
            found.bytes(),
            found.exchangeSeconds(),
            found.rows().stream()
                .map(row ->
                    new Measured(
                        row.rings(),
                        row.share(),
                        row.way().text(),
                        row.seconds(),
                        row.least(),
                        row.most(),
                        row.error()))
                .toList(),
            Version.text()));
  }

  static String of(MeasuredTurns found, int columns) {
    Table table =
        new Table("rings", "transmit", "way", "measured, s", "model from", "to", "outside")
            .left("way");
    for (MeasuredTurns.Row row : found.rows()) {
      table.row(
          String.valueOf(row.rings()),
          percent(row.share()),
          row.way().text(),
          number(row.seconds()),
          number(row.least()),
          number(row.most()),
          row.error() == 0 ? "-" : percent(row.error()));
    }
    double worst = found.rows().stream().mapToDouble(row -> Math.abs(row.error())).max().orElse(0);
    return Prose.wrapped(
            "Seconds of an iteration; an exchange of %s takes %s s alone"
                .formatted(ByteSize.text(found.bytes()), number(found.exchangeSeconds())))
        + "\n"
        + table.text(columns)
        + "\n"
        + Prose.wrapped("At most %s outside of what the model says.".formatted(percent(worst)));
  }
}
