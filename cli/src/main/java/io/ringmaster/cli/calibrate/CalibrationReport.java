package io.ringmaster.cli.calibrate;

import io.ringmaster.calibration.Calibration;
import io.ringmaster.calibration.HeldOut;
import io.ringmaster.cli.terminal.FitFigures.Interval;
import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.SharedLink;
import io.ringmaster.runs.Version;
import io.ringmaster.workload.json.RecordFields.Named;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was measured, as {@code --json} prints it. */
final class CalibrationReport {
  private CalibrationReport() {}

  private record Document(
      int rings,
      int workers,
      double seconds,
      long seed,
      @Nullable Interval latencyStepSeconds,
      @Nullable Interval bandwidthBytesPerSecond,
      Optional<Inside> inside,
      @Nullable Interval alpha,
      List<Factor> factors,
      double usedCores,
      double busyShare,
      String limit,
      Optional<Check> check,
      Optional<Iterations> iterations,
      List<String> warnings,
      String model,
      String cluster,
      List<AllReduceTime> times,
      String version) {}

  private record Inside(
      int workers,
      @Nullable Interval latencyStepSeconds,
      @Nullable Interval bandwidthBytesPerSecond) {}

  private record Factor(int rings, @Nullable Interval measured, double fitted) {}

  private record Check(
      @Nullable Interval contentionError,
      @Nullable Interval transmitError,
      @Nullable Interval gain,
      List<CheckedRing> rows) {}

  private record CheckedRing(
      @Named("case") String name,
      int ring,
      double bytes,
      double computeSeconds,
      @Nullable Interval exchangeSeconds,
      double contentionSeconds,
      double transmitSeconds) {}

  private record Iterations(
      HeldOut.Errors contentionError, HeldOut.Errors transmitError, List<Iteration> rows) {}

  private record Iteration(
      @Named("case") String name,
      int ring,
      @Nullable Interval iterationSeconds,
      double contentionSeconds,
      double transmitSeconds) {}

  static Record document(Calibration found, Calibration.Plan plan, CalibratedFile file) {
    List<Factor> factors = new ArrayList<>();
    for (int k = 1; k <= found.factors().size(); k++) {
      factors.add(
          new Factor(
              k, Interval.of(found.factors().get(k - 1)), found.fit().line().degradation(k)));
    }
    return new Document(
        plan.rings(),
        plan.workers(),
        plan.seconds(),
        plan.seed(),
        Interval.of(found.stepSeconds()),
        Interval.of(found.nicBytesPerSecond()),
        Optional.ofNullable(found.inside())
            .map(inside ->
                new Inside(
                    inside.workers(),
                    Interval.of(inside.stepSeconds()),
                    Interval.of(inside.bytesPerSecond()))),
        Interval.of(found.fit().line().alpha()),
        factors,
        found.usedCores(),
        found.busyShare(),
        found.limit().name().toLowerCase(Locale.ROOT),
        Optional.ofNullable(found.link()).map(CalibrationReport::check),
        Optional.ofNullable(found.heldOut()).map(CalibrationReport::iterations),
        found.fit().warnings(),
        file.cluster().network().word(),
        file.text(),
        found.times(),
        Version.text());
  }

  private static Check check(SharedLink link) {
    return new Check(
        Interval.of(link.contentionError()),
        Interval.of(link.transmitError()),
        Interval.of(link.gain()),
        link.rows().stream()
            .map(row ->
                new CheckedRing(
                    row.name(),
                    row.ring() + 1,
                    row.bytes(),
                    row.computeSeconds(),
                    Interval.of(row.exchange()),
                    row.contention(),
                    row.transmit()))
            .toList());
  }

  private static Iterations iterations(HeldOut heldOut) {
    return new Iterations(
        heldOut.contention(),
        heldOut.transmit(),
        heldOut.rows().stream()
            .map(row ->
                new Iteration(
                    row.name(),
                    row.ring() + 1,
                    Interval.of(row.iteration()),
                    row.contention(),
                    row.transmit()))
            .toList());
  }
}
