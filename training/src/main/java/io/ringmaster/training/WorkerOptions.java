package io.ringmaster.training;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker is told to do.
 *
 * @param samples to train on in the whole job, by all workers and attempts together
 * @param batch samples of a worker in a step
 * @param hidden rectifiers in each of two layers
 * @param rate learning rate before it is scaled
 * @param pace least time of a step's computation: what a device would take
 * @param hop least time of a step around the ring: what a link would take
 * @param checkpointEvery how often rank 0 saves
 */
public record WorkerOptions(
    long samples,
    int batch,
    int hidden,
    double rate,
    Duration pace,
    Duration hop,
    long seed,
    Duration checkpointEvery) {
  /** An option for those who list them. */
  public record Option(String name, String label, String defaultValue, String help) {}

  public static final List<Option> ALL =
      List.of(
          new Option("--samples", "N", "200000", "samples to train on in the whole job"),
          new Option("--batch", "N", "32", "samples of each worker in a step"),
          new Option("--hidden", "N", "32", "size of each of the two hidden layers"),
          new Option("--rate", "X", "0.05", "learning rate, before it is scaled"),
          new Option(
              "--pace",
              "TIME",
              "0s",
              "least time for a mini-batch, as if a device needed it; such as 50ms or 2s"),
          new Option(
              "--hop",
              "TIME",
              "0s",
              "least time for each of the 2 (workers - 1) steps around the ring, as if a link"
                  + " needed it"),
          new Option("--seed", "N", "1", "of the data and of the first parameters"),
          new Option("--checkpoint-every", "TIME", "10s", "how often to save"));

  private static final double MILLIS_IN_SECOND = 1000;
  private static final int SIZE_MAX = 4096;

  /** From {@code --name value} and {@code --name=value}. */
  public static WorkerOptions parse(String... arguments) {
    String[] given = new String[ALL.size()];
    for (int i = 0; i < given.length; i++) {
      given[i] = ALL.get(i).defaultValue();
    }
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      int index = index(name);
      if (index < 0) {
        throw new BadOption("unknown option '" + name + "'; there are: " + names());
      }
      if (equals < 0 && i + 1 == arguments.length) {
        throw new BadOption(name + ": expected a value after it");
      }
      given[index] = equals < 0 ? arguments[++i] : argument.substring(equals + 1);
    }
    return new WorkerOptions(
        whole(given, "--samples", 1, 1L << 48),
        (int) whole(given, "--batch", 1, SIZE_MAX),
        (int) whole(given, "--hidden", 1, SIZE_MAX),
        rate(value(given, "--rate")),
        time(given, "--pace"),
        time(given, "--hop"),
        whole(given, "--seed", Long.MIN_VALUE, Long.MAX_VALUE),
        time(given, "--checkpoint-every"));
  }

  private static int index(String name) {
    for (int i = 0; i < ALL.size(); i++) {
      if (ALL.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static String names() {
    StringBuilder names = new StringBuilder();
    for (Option option : ALL) {
      names.append(names.isEmpty() ? "" : ", ").append(option.name());
    }
    return names.toString();
  }

  private static String value(String[] given, String name) {
    return given[index(name)];
  }

  private static long whole(String[] given, String name, long min, long max) {
    String text = value(given, name);
    try {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    String range = min == Long.MIN_VALUE ? "" : " from " + min + " to " + max;
    throw new BadOption(name + ": '" + text + "' is not a whole number" + range);
  }

  private static double rate(String text) {
    Double rate = number(text);
    if (rate == null || !(rate > 0 && rate <= 100)) {
      throw new BadOption("--rate: '" + text + "' is not a number above 0, up to 100");
    }
    return rate;
  }

  private static Duration time(String[] given, String name) {
    String text = value(given, name);
    Double millis = null;
    if (text.endsWith("ms")) {
      millis = number(text.substring(0, text.length() - 2));
    } else if (text.endsWith("s")) {
      millis = number(text.substring(0, text.length() - 1));
      millis = millis == null ? null : millis * MILLIS_IN_SECOND;
    }
    if (millis == null || !(millis >= 0 && millis <= Integer.MAX_VALUE)) {
      throw new BadOption(name + ": '" + text + "' is not a time such as 50ms or 2s");
    }
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  private static @Nullable Double number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
