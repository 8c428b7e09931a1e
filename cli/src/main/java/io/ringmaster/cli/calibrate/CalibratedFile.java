package io.ringmaster.cli.calibrate;

import static io.ringmaster.cli.terminal.FitFigures.number;
import static io.ringmaster.cli.terminal.FitFigures.percent;

import io.ringmaster.calibration.Calibration;
import io.ringmaster.model.Cluster;
import io.ringmaster.predictor.contention.SharedLink;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.workload.ClusterFile;
import java.util.List;

/**
 * The file of a calibrated cluster.
 *
 * @param comment what was measured, with intervals, in front of the file
 */
record CalibratedFile(Cluster cluster, String comment) {
  static CalibratedFile of(Cluster cluster, Calibration found, Calibration.Plan plan) {
    return new CalibratedFile(cluster, comment(found, plan));
  }

  private static String comment(Calibration found, Calibration.Plan plan) {
    StringBuilder out = new StringBuilder();
    out.append(
        "# Measured by ringmaster calibrate --rings %d --workers %d --seconds %s --seed %d%n"
            .formatted(plan.rings(), plan.workers(), number(plan.seconds()), plan.seed()));
    out.append("# nic, GB/s: ").append(interval(found.nicBytesPerSecond(), 1e-9));
    Estimate intra = found.inside() == null ? null : found.inside().bytesPerSecond();
    if (intra != null) {
      out.append("\n# intra, GB/s: ").append(interval(intra, 1e-9));
    }
    Estimate a = found.fit().line().a();
    if (a != null) {
      out.append("\n# overhead, ms: ").append(interval(a, 1e3 / plan.workers()));
    }
    Estimate alpha = found.fit().line().alpha();
    if (alpha != null) {
      out.append("\n# alpha: ").append(interval(alpha, 1));
    }
    SharedLink link = found.link();
    if (link != null) {
      out.append(
          "\n# error for rings that compute: contention %s, transmit %s"
              .formatted(
                  percent(link.contentionError().value()), percent(link.transmitError().value())));
    }
    return out.append('\n').toString();
  }

  private static String interval(Estimate estimate, double unit) {
    return "%s (95 %%: %s to %s)"
        .formatted(
            number(unit * estimate.value()),
            number(unit * estimate.low()),
            number(unit * estimate.high()));
  }

  String text() {
    return comment + ClusterFile.text(cluster);
  }

  /** Its part that was measured. */
  String network() {
    List<String> lines = ClusterFile.text(cluster).lines().toList();
    int from = lines.indexOf("network:");
    int to = from + 1;
    while (to < lines.size() && lines.get(to).startsWith(" ")) {
      to++;
    }
    return String.join("\n", lines.subList(from, to)) + "\n";
  }
}
