package io.ringmaster.report;

import io.ringmaster.model.collect.Ranks;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.Arrays;
import java.util.List;

/** How a figure is spread over jobs, in as many points as a curve needs. */
@NamedAsDeclared
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

  /** A figure of all jobs: the value that each share of them is below. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Distribution(String name, List<Double> share, double[] value) {}

  /** As percentiles are told of in summaries. */
  public static Distribution of(String name, double[] values) {
    return new Distribution(name, shareColumn(), values(values));
  }

  /** The shares: finer than the thousandths to which columns are written. */
  static List<Double> shareColumn() {
    return Arrays.stream(SHARES).boxed().toList();
  }

  /** The value at each of the shares. */
  static double[] values(double[] values) {
    int n = values.length;
    int[] ranks =
        Arrays.stream(SHARES).mapToInt(share -> Math.min(n - 1, (int) (share * n))).toArray();
    return Ranks.at(values, 0, n, ranks);
  }

  /** The first of sorted values that such a share is below. */
  static double at(double[] sorted, double share) {
    return sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))];
  }
}
