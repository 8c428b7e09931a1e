package io.ringmaster.engine.slurm.client;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's short way to write the tasks of an array: {@code 1-3,8,10-20:5%2}. */
final class ArrayTasks {
  private static final Pattern PART = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?(?::(\\d{1,9}))?");

  /** Slurm itself allows four million tasks in one array. */
  private static final int MOST = 4_000_001;

  private ArrayTasks() {}

  /**
   * All numbers, in their order. What cannot be read is left out: slurmrestd shortens long lists,
   * unless {@code SLURM_BITSTR_LEN=0} is in its environment, and shows more once the first are
   * gone.
   */
  static List<Long> numbers(String text) {
    List<Long> numbers = new ArrayList<>();
    for (String part : text.replaceFirst("%.*", "").split(",", -1)) {
      Matcher matcher = PART.matcher(part.strip());
      if (matcher.matches()) {
        long first = Long.parseLong(matcher.group(1));
        long last = matcher.group(2) == null ? first : Long.parseLong(matcher.group(2));
        long step = matcher.group(3) == null ? 1 : Math.max(1, Long.parseLong(matcher.group(3)));
        for (long task = first; task <= last && numbers.size() < MOST; task += step) {
          numbers.add(task);
        }
      }
    }
    return numbers;
  }
}
