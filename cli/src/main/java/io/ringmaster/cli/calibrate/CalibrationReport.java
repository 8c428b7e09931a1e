package io.ringmaster.cli.calibrate;

import static io.ringmaster.cli.terminal.FitFigures.put;

import io.ringmaster.calibration.Calibration;
import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.SharedLink;
import io.ringmaster.runs.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was measured, as {@code --json} prints it. */
final class CalibrationReport {
  private CalibrationReport() {}

  static Map<String, Object> document(
      Calibration found, Calibration.Plan plan, CalibratedFile file) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("rings", plan.rings());
    out.put("workers", plan.workers());
    out.put("seconds", plan.seconds());
    out.put("seed", plan.seed());
    put(out, "latency_step_s", found.stepSeconds());
    put(out, "bandwidth_bytes_per_s", found.nicBytesPerSecond());
    put(out, "alpha", found.fit().line().alpha());
    List<Map<String, Object>> factors = new ArrayList<>();
    for (int k = 1; k <= found.factors().size(); k++) {
      Map<String, Object> factor = new LinkedHashMap<>();
      factor.put("rings", k);
      put(factor, "measured", found.factors().get(k - 1));
      put(factor, "fitted", found.fit().line().degradation(k));
      factors.add(factor);
    }
    out.put("factors", factors);
    put(out, "used_cores", found.usedCores());
    put(out, "busy_share", found.busyShare());
    out.put("limit", found.limit().name().toLowerCase(Locale.ROOT));
    SharedLink link = found.link();
    if (link != null) {
      out.put("check", check(link));
    }
    out.put("warnings", found.fit().warnings());
    out.put("model", file.cluster().network().word());
    out.put("cluster", file.text());
    out.put("times", found.times().stream().map(CalibrationReport::time).toList());
    out.put("version", Version.text());
    return out;
  }

  private static Map<String, Object> check(SharedLink link) {
    Map<String, Object> out = new LinkedHashMap<>();
    put(out, "contention_error", link.contentionError());
    put(out, "transmit_error", link.transmitError());
    put(out, "gain", link.gain());
    List<Map<String, Object>> rows = new ArrayList<>();
    for (SharedLink.Row row : link.rows()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("case", row.name());
      each.put("ring", row.ring() + 1);
      each.put("bytes", row.bytes());
      each.put("compute_s", row.computeSeconds());
      put(each, "exchange_s", row.exchange());
      each.put("contention_s", row.contention());
      each.put("transmit_s", row.transmit());
      rows.add(each);
    }
    out.put("rows", rows);
    return out;
  }

  private static Map<String, Object> time(AllReduceTime time) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("jobs", time.jobs());
    out.put("bytes", time.bytes());
    out.put("seconds", time.seconds());
    return out;
  }
}
