package io.ringmaster.control.job;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a person asks for, and refuses what makes no sense. The only door for job
 * descriptions: the API, the command line's files and the store all come through here.
 */
public final class JobSpecs {
  /** The highest priority; the lowest is as far below 0. */
  public static final int MOST_PRIORITY = 1000;

  public static final int MOST_GPUS = 100_000;
  private static final int MOST_WORDS = 1000;
  private static final int LONGEST_WORD = 32_768;
  private static final int MOST_DEPENDENCIES = 1000;
  private static final double LONGEST_SECONDS = 1e9;
  private static final double DEFAULT_GRACE_SECONDS = 30;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  private static final List<String> KEYS =
      List.of(
          "name",
          "command",
          "env",
          "directory",
          "gpus",
          "min_gpus",
          "max_gpus",
          "model",
          "duration_s",
          "iterations",
          "group",
          "priority",
          "after",
          "time_limit_s",
          "grace_s",
          "checkpoint_s",
          "retries",
          "cpus_per_gpu",
          "memory_gb_per_gpu",
          "piece_gpus",
          "nodes_marked",
          "resumable");

  private final Map<String, Object> given;

  private JobSpecs(Map<String, Object> given) {
    this.given = given;
  }

  /**
   * The job that a mapping describes.
   *
   * @throws BadInput with one line that names the key, the value, and what was expected
   */
  public static JobSpec of(@Nullable Object description) {
    if (!(description instanceof Map<?, ?> map)) {
      throw new BadInput("a job is a mapping with at least 'command' and 'gpus'");
    }
    Map<String, Object> given = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = String.valueOf(entry.getKey());
      if (!KEYS.contains(key)) {
        throw new BadInput(
            "unknown key '%s' of a job; %s"
                .formatted(shown(key), Settings.Nearest.hint(shown(key), KEYS)));
      }
      if (entry.getValue() != null) {
        given.put(key, entry.getValue());
      }
    }
    return new JobSpecs(given).read();
  }

  private JobSpec read() {
    List<String> command = words("command");
    if (command.isEmpty()) {
      throw new BadInput("command: expected a list of texts, the program first; found nothing");
    }
    if (command.getFirst().isEmpty()) {
      throw new BadInput("command: the program's name is empty");
    }
    int gpus = whole("gpus", 1, MOST_GPUS, -1);
    if (gpus < 0) {
      throw new BadInput("gpus: is missing; expected a whole number from 1 to " + MOST_GPUS);
    }
    int piece = whole("piece_gpus", 1, gpus, 1);
    if (gpus % piece != 0) {
      throw new BadInput(
          "gpus: %d is no multiple of piece_gpus, %d: pieces are whole".formatted(gpus, piece));
    }
    String directory = text("directory", "");
    if (!directory.isEmpty() && !directory.startsWith("/")) {
      throw new BadInput(
          "directory: '%s' is not absolute; expected a path that begins with /"
              .formatted(shown(directory)));
    }
    return new JobSpec(
        name("name", "job"),
        command,
        environment(),
        directory,
        gpus,
        whole("min_gpus", 1, gpus, gpus),
        whole("max_gpus", gpus, MOST_GPUS, gpus),
        text("model", ""),
        number("duration_s", Double.MIN_VALUE, LONGEST_SECONDS, Double.NaN),
        number("iterations", Double.MIN_VALUE, 1e15, Double.NaN),
        name("group", ""),
        whole("priority", -MOST_PRIORITY, MOST_PRIORITY, 0),
        dependencies(),
        number("time_limit_s", 1e-3, LONGEST_SECONDS, Double.NaN),
        number("grace_s", 0, 86_400, DEFAULT_GRACE_SECONDS),
        number("checkpoint_s", 0, LONGEST_SECONDS, 0),
        whole("retries", 0, 1000, 0),
        number("cpus_per_gpu", 0, 1e6, 0),
        number("memory_gb_per_gpu", 0, 1e6, 0),
        piece,
        text("nodes_marked", ""),
        flag("resumable", true));
  }

  private boolean flag(String key, boolean fallback) {
    Object value = given.get(key);
    if (value == null) {
      return fallback;
    }
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw refused(key, value, "true or false");
  }

  private int whole(String key, int least, int greatest, int fallback) {
    Object value = given.get(key);
    if (value == null) {
      return fallback;
    }
    if ((value instanceof Integer || value instanceof Long)
        && ((Number) value).longValue() >= least
        && ((Number) value).longValue() <= greatest) {
      return ((Number) value).intValue();
    }
    throw refused(key, value, "a whole number from %d to %d".formatted(least, greatest));
  }

  private double number(String key, double least, double greatest, double fallback) {
    Object value = given.get(key);
    if (value == null) {
      return fallback;
    }
    if (value instanceof Number number) {
      double d = number.doubleValue();
      if (d >= least && d <= greatest) {
        return d;
      }
    }
    throw refused(
        key,
        value,
        least == Double.MIN_VALUE
            ? "a number above 0, at most %.0f".formatted(greatest)
            : "a number from %s to %.0f".formatted(least, greatest));
  }

  private String text(String key, String fallback) {
    Object value = given.get(key);
    if (value == null) {
      return fallback;
    }
    if (value instanceof String text && text.length() <= LONGEST_WORD && isClean(text)) {
      return text;
    }
    throw refused(key, value, "a text without NUL");
  }

  private String name(String key, String fallback) {
    String name = text(key, fallback);
    if (!name.isEmpty() && !NAME.matcher(name).matches()) {
      throw refused(
          key, name, "1 to 64 letters, digits, '.', '_' and '-' that begin with a letter or digit");
    }
    return name.isEmpty() ? fallback : name;
  }

  private List<String> words(String key) {
    Object value = given.get(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list) || list.size() > MOST_WORDS) {
      throw refused(key, value, "a list of at most %d texts".formatted(MOST_WORDS));
    }
    List<String> words = new ArrayList<>();
    for (Object word : list) {
      if (!(word instanceof String text) || text.length() > LONGEST_WORD || !isClean(text)) {
        throw refused(key, word, "a text without NUL; put a number in quotes");
      }
      words.add(text);
    }
    return words;
  }

  private Map<String, String> environment() {
    Object value = given.get("env");
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof Map<?, ?> map) || map.size() > MOST_WORDS) {
      throw refused("env", value, "a mapping of names to texts");
    }
    Map<String, String> environment = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = String.valueOf(entry.getKey());
      if (!VARIABLE.matcher(name).matches()) {
        throw refused("env", name, "a name of letters, digits and '_'");
      }
      if (!(entry.getValue() instanceof String text)
          || text.length() > LONGEST_WORD
          || !isClean(text)) {
        throw refused(
            "env." + name, entry.getValue(), "a text without NUL; put a number in quotes");
      }
      environment.put(name, text);
    }
    return environment;
  }

  private List<Long> dependencies() {
    Object value = given.get("after");
    if (value == null) {
      return List.of();
    }
    String expected = "a list of at most %d ids of jobs".formatted(MOST_DEPENDENCIES);
    if (!(value instanceof List<?> list) || list.size() > MOST_DEPENDENCIES) {
      throw refused("after", value, expected);
    }
    List<Long> ids = new ArrayList<>();
    for (Object id : list) {
      if (!(id instanceof Integer || id instanceof Long) || ((Number) id).longValue() < 1) {
        throw refused("after", id, expected);
      }
      ids.add(((Number) id).longValue());
    }
    return ids.stream().distinct().toList();
  }

  private static boolean isClean(String text) {
    return text.indexOf('\0') < 0;
  }

  private static BadInput refused(String key, @Nullable Object value, String expected) {
    return new BadInput(
        "%s: '%s' is not %s".formatted(key, shown(String.valueOf(value)), expected));
  }

  /** A part of a text that is fit for one line. */
  public static String shown(String text) {
    String clean = text.replaceAll("\\p{C}", "?");
    return clean.length() <= 60 ? clean : clean.substring(0, 57) + "...";
  }
}
