package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Jobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The generator beside the public trace itself, which is no part of this repository: run with
 * {@code RINGMASTER_TRACES} set to the directory that holds {@code philly/}.
 */
class PhillyTraceTest {
  private static final String FILE = "philly/philly_jobs_adaptdl.csv.gz";

  private static Path trace() {
    String directory = System.getenv("RINGMASTER_TRACES");
    Assumptions.assumeTrue(directory != null, "RINGMASTER_TRACES is not set: skipped " + FILE);
    Path file = Path.of(String.valueOf(directory)).resolve(FILE);
    Assumptions.assumeTrue(Files.exists(file), "no such file: skipped " + file);
    return file;
  }

  /** Reads the two columns that matter. */
  private static final class Rows extends CsvRows {
    private final List<Integer> gpus = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();

    Rows(Path file) {
      super(
          file, List.of("num_gpus", "duration"), List.of(List.of("num_gpus"), List.of("duration")));
    }

    @Override
    void field(int column, char[] text, int from, int to) {
      if (column == 0) {
        gpus.add((int) Numbers.parse(text, from, to));
      } else {
        seconds.add(Numbers.parse(text, from, to));
      }
    }

    @Override
    void row() {}

    double[] durations(int least, int most) {
      return IntStream.range(0, gpus.size())
          .filter(i -> gpus.get(i) >= least && gpus.get(i) <= most)
          .mapToDouble(seconds::get)
          .sorted()
          .toArray();
    }
  }

  @Test
  void quantilesOfEveryClassAreNear() throws IOException {
    Rows trace = new Rows(trace());
    trace.readAll((_, _) -> {});
    Jobs jobs =
        Generators.generate(
                "philly", Map.of("jobs", "1000000", "servers", "1000", "longest", "0"), 1)
            .jobs();
    int[][] classes = {{1, 1}, {4, 4}, {8, 8}};
    for (int[] sizes : classes) {
      double[] real = trace.durations(sizes[0], sizes[1]);
      double[] made =
          IntStream.range(0, jobs.size())
              .filter(j -> jobs.gpus(j) >= sizes[0] && jobs.gpus(j) <= sizes[1])
              .mapToDouble(jobs::work)
              .sorted()
              .toArray();
      assertThat(made.length / (double) jobs.size())
          .isCloseTo(real.length / (double) trace.gpus.size(), within(0.005));
      for (double quantile : new double[] {0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99}) {
        double factor = quantile(made, quantile) / quantile(real, quantile);
        assertThat(factor)
            .as("quantile %s of jobs of %s GPUs", quantile, Arrays.toString(sizes))
            .isBetween(1 / 1.6, 1.6);
      }
    }
  }

  private static double quantile(double[] sorted, double quantile) {
    return sorted[(int) (quantile * sorted.length)];
  }
}
