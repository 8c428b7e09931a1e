package io.ringmaster.bench;

import io.ringmaster.workload.CsvOutput;
import java.io.OutputStream;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/** Writing one number of a result. */
public class CsvBenchmark extends ShortBenchmark {
  private static final int MANY = 1 << 12;

  private final CsvOutput out = new CsvOutput(OutputStream.nullOutputStream(), "nowhere");
  private final double[] seconds = new double[MANY];
  private final double[] milliseconds = new double[MANY];

  public CsvBenchmark() {
    SplittableRandom random = new SplittableRandom(Workloads.SEED);
    for (int i = 0; i < MANY; i++) {
      seconds[i] = random.nextDouble(1e6);
      milliseconds[i] = Math.rint(seconds[i] * 1000) / 1000;
    }
  }

  /** As many digits as there can be: times after contention. */
  @Benchmark
  @OperationsPerInvocation(MANY)
  public CsvOutput decimalLong() {
    return write(seconds);
  }

  /** Three decimals: most times of most runs. */
  @Benchmark
  @OperationsPerInvocation(MANY)
  public CsvOutput decimalShort() {
    return write(milliseconds);
  }

  private CsvOutput write(double[] values) {
    for (double value : values) {
      out.decimal(value);
    }
    out.endRow();
    return out;
  }
}
