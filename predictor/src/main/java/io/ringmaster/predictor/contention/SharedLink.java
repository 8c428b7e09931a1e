package io.ringmaster.predictor.contention;

import io.ringmaster.model.TransmitShare;
import io.ringmaster.predictor.regression.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Two models of rings that share a link, beside measurements that neither was fitted to: rings that
 * compute between their exchanges. Both take a, b and alpha from the same {@link ContentionFit} of
 * rings that do not compute, and differ in what k counts in
 *
 * <pre>exchange = a + b M f(k),  f(k) = k + alpha (k - 1)</pre>
 *
 * {@link io.ringmaster.model.Network.Contention} counts rings, {@link
 * io.ringmaster.model.Network.Transmit} the share of the time in which they transmit.
 *
 * @param rows one for each ring of each case
 * @param contentionError mean over cases of the absolute relative error, with its interval
 * @param transmitError the same for the other model
 * @param gain the mean over cases of how much smaller the error of the second model is: the
 *     difference is taken case by case, so that what makes a case hard for both does not blur it
 */
public record SharedLink(
    List<Row> rows, Estimate contentionError, Estimate transmitError, Estimate gain) {

  /**
   * A ring in one measurement of a case.
   *
   * @param name of the case; repeats have the same
   * @param ring which of its rings
   */
  public record Measured(
      String name, int ring, double bytes, double computeSeconds, double exchangeSeconds) {}

  /** A ring of a case, over all repeats. */
  public record Row(
      String name,
      int ring,
      double bytes,
      double computeSeconds,
      Estimate exchange,
      double contention,
      double transmit) {
    public double contentionError() {
      return contention / exchange.value() - 1;
    }

    public double transmitError() {
      return transmit / exchange.value() - 1;
    }
  }

  /** Whether the second model is the truer one beyond chance. */
  public boolean transmitIsTruer() {
    return gain.low() > 0;
  }

  /** Whether the first model is the truer one beyond chance. */
  public boolean contentionIsTruer() {
    return gain.high() < 0;
  }

  /** Compares, in the order in which cases come first. Cases of one ring are shown, not counted. */
  public static SharedLink of(ContentionLine line, List<Measured> measured) {
    List<String> names = measured.stream().map(Measured::name).distinct().toList();
    List<Row> rows = new ArrayList<>();
    List<Double> contention = new ArrayList<>();
    List<Double> transmit = new ArrayList<>();
    List<Double> gain = new ArrayList<>();
    for (String name : names) {
      List<Row> here = rows(line, measured.stream().filter(m -> m.name().equals(name)).toList());
      rows.addAll(here);
      if (here.size() > 1) {
        double whole = mean(here, Row::contentionError);
        double shares = mean(here, Row::transmitError);
        contention.add(whole);
        transmit.add(shares);
        gain.add(whole - shares);
      }
    }
    return new SharedLink(rows, mean(contention), mean(transmit), mean(gain));
  }

  private static double mean(List<Row> rows, ToDoubleFunction<Row> error) {
    return rows.stream().mapToDouble(r -> Math.abs(error.applyAsDouble(r))).average().orElseThrow();
  }

  private static Estimate mean(List<Double> values) {
    return Estimate.mean(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static List<Row> rows(ContentionLine line, List<Measured> measured) {
    TreeMap<Integer, List<Measured>> byRing = new TreeMap<>();
    measured.forEach(m -> byRing.computeIfAbsent(m.ring(), _ -> new ArrayList<>()).add(m));
    List<Measured> rings = byRing.values().stream().map(List::getFirst).toList();
    List<Row> rows = new ArrayList<>();
    for (Measured ring : rings) {
      double[] times =
          byRing.getOrDefault(ring.ring(), List.of()).stream()
              .mapToDouble(Measured::exchangeSeconds)
              .toArray();
      double found = 1;
      for (Measured other : rings) {
        found += other.ring() == ring.ring() ? 0 : share(line, other, rings.size());
      }
      rows.add(
          new Row(
              ring.name(),
              ring.ring(),
              ring.bytes(),
              ring.computeSeconds(),
              Estimate.mean(times),
              seconds(line, ring.bytes(), rings.size()),
              seconds(line, ring.bytes(), found)));
    }
    return rows;
  }

  private static double share(ContentionLine line, Measured ring, int rings) {
    double rest = ring.computeSeconds() + startup(line);
    return TransmitShare.of(rest / (line.b().value() * ring.bytes()), rings, alpha(line));
  }

  private static double seconds(ContentionLine line, double bytes, double k) {
    double factor = Math.max(1, k + alpha(line) * (k - 1));
    return startup(line) + line.b().value() * bytes * factor;
  }

  /** A cluster file takes no start-up time below 0, and no such alpha. */
  private static double startup(ContentionLine line) {
    return line.a() == null ? 0 : Math.max(0, line.a().value());
  }

  private static double alpha(ContentionLine line) {
    return line.alpha() == null ? 0 : Math.max(0, line.alpha().value());
  }
}
