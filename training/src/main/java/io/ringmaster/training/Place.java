package io.ringmaster.training;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the environment says of a worker. Without it the worker is alone.
 *
 * @param id of the attempt, told to the other workers
 * @param rateScale what to multiply the learning rate by
 * @param checkpoints folder of checkpoints; null: none are kept
 * @param progress file for lines about progress; null: nobody asks
 * @param turn when to exchange; null: whenever a step is computed
 */
record Place(
    int rank,
    int size,
    String masterHost,
    int masterPort,
    String id,
    double rateScale,
    @Nullable Path checkpoints,
    @Nullable Path progress,
    @Nullable Turn turn) {
  private static final String RATE_SCALE = "RINGMASTER_LEARNING_RATE_SCALE";
  private static final int PORT = 29500; // torchrun's

  static Place of(Map<String, String> environment) {
    int size = whole(environment, "WORLD_SIZE", 1, 1, 1 << 16);
    return new Place(
        whole(environment, "RANK", 0, 0, size - 1),
        size,
        environment.getOrDefault("MASTER_ADDR", "127.0.0.1"),
        whole(environment, "MASTER_PORT", PORT, 1, 65_535),
        environment.getOrDefault("RINGMASTER_JOB", "")
            + "."
            + environment.getOrDefault("RINGMASTER_ATTEMPT", ""),
        rateScale(environment.get(RATE_SCALE), size),
        path(environment.get("RINGMASTER_CHECKPOINT_DIR")),
        path(environment.get("RINGMASTER_PROGRESS")),
        Turn.of(environment.get(Turn.VARIABLE)));
  }

  private static int whole(
      Map<String, String> environment, String name, int otherwise, int min, int max) {
    String text = environment.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new BadOption(name + ": '" + text + "' is not a whole number from " + min + " to " + max);
  }

  private static double rateScale(@Nullable String text, int size) {
    if (text == null) {
      return size;
    }
    try {
      double scale = Double.parseDouble(text);
      if (scale > 0 && scale < Double.POSITIVE_INFINITY) {
        return scale;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new BadOption(RATE_SCALE + ": '" + text + "' is not a number above 0");
  }

  private static @Nullable Path path(@Nullable String text) {
    return text == null || text.isEmpty() ? null : Path.of(text);
  }
}
