package io.ringmaster.experiments.philly;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Random;

/** A table of made-up jobs in the format of the trace, for tests. */
final class Sample {
  static final String NAME = "sample.csv";

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private static final int[] GPUS = {1, 1, 1, 1, 1, 1, 2, 4, 8, 16};
  private static final String[] CLUSTERS = {"one", "two", "three"};
  private static final int MEAN_GAP_SECONDS = 600;
  private static final double MEDIAN_SECONDS = 1200;

  private Sample() {}

  /** Writes so many jobs; the first runs for over two days, and the last is larger than 4 x 8. */
  static Path write(Path folder, int jobs) throws IOException {
    Random random = new Random(1);
    LocalDateTime submit = LocalDateTime.of(2017, 10, 3, 0, 0);
    StringBuilder text = new StringBuilder("timestamp,duration,num_gpus,gpu_time,cluster\n");
    for (int job = 0; job < jobs; job++) {
      submit = submit.plusSeconds(1 + random.nextInt(2 * MEAN_GAP_SECONDS));
      long seconds =
          job == 0
              ? 300_000
              : 1 + Math.round(MEDIAN_SECONDS * StrictMath.exp(1.5 * random.nextGaussian()));
      int gpus = job == jobs - 1 ? 64 : GPUS[random.nextInt(GPUS.length)];
      text.append(
          "%s,%d.0,%d,%d.0,%s%n"
              .formatted(
                  TIME.format(submit),
                  seconds,
                  gpus,
                  seconds * gpus,
                  CLUSTERS[random.nextInt(CLUSTERS.length)]));
    }
    return Files.writeString(folder.resolve(NAME), text);
  }
}
