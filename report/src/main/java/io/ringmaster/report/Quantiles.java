package io.ringmaster.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How a figure is spread over jobs, in as many points as a curve needs. */
public final class Quantiles {
  private static final double[] SHARES = shares();

  private Quantiles() {}

  private static double[] shares() {
    double[] shares = new double[204];
    for (int i = 0; i <= 199; i++) {
      shares[i] = i / 200.0;
    }
    shares[200] = 0.998;
    shares[201] = 0.999;
    shares[202] = 0.9999;
    shares[203] = 1;
    return shares;
  }

  /** The value that each share of the jobs is below, as percentiles are told of in summaries. */
  public static Map<String, Object> of(String name, double[] values) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", name);
    out.put("share", shareColumn());
    out.put("value", values(values));
    return out;
  }

  /** The shares: finer than the thousandths to which columns are written. */
  static List<Double> shareColumn() {
    return Arrays.stream(SHARES).boxed().toList();
  }

  /** The value at each of the shares. */
  static double[] values(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return Arrays.stream(SHARES).map(share -> at(sorted, share)).toArray();
  }

  /** The first of sorted values that such a share is below. */
  static double at(double[] sorted, double share) {
    return sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))];
  }
}
