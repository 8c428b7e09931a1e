package io.ringmaster.workload.trace;

import java.util.ArrayList;
import java.util.List;

/** Names of servers as Slurm writes many at once: {@code gpu[01-04,07],big1,rack[1-2]n[1-8]}. */
final class HostList {
  /** More than any site has: a damaged range must not fill the memory. */
  static final int MOST = 100_000;

  private HostList() {}

  /**
   * Every single name, in the order of the text.
   *
   * @throws IllegalArgumentException if the text is no list of hosts
   */
  static List<String> expand(String text) {
    List<String> names = new ArrayList<>();
    int from = 0;
    int depth = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ',';
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (depth < 0 || depth > 1 || (i == text.length() && depth != 0)) {
        throw new IllegalArgumentException(text);
      }
      if (c == ',' && depth == 0) {
        one(text.substring(from, i), text, names);
        from = i + 1;
      }
    }
    return names;
  }

  /** A name with any number of brackets, none inside another. */
  private static void one(String name, String text, List<String> names) {
    int open = name.indexOf('[');
    if (open < 0) {
      if (name.isEmpty() || names.size() >= MOST) {
        throw new IllegalArgumentException(text);
      }
      names.add(name);
      return;
    }
    int close = name.indexOf(']');
    String before = name.substring(0, open);
    String after = name.substring(close + 1);
    for (String range : name.substring(open + 1, close).split(",", -1)) {
      int dash = range.indexOf('-');
      String first = dash < 0 ? range : range.substring(0, dash);
      String last = dash < 0 ? range : range.substring(dash + 1);
      long end = number(last, text);
      long begin = number(first, text);
      if (end < begin) {
        // Counting through an outer range for none of these would not end.
        throw new IllegalArgumentException(text);
      }
      for (long i = begin; i <= end; i++) {
        String digits = Long.toString(i);
        String zeros = "0".repeat(Math.max(0, first.length() - digits.length()));
        one(before + zeros + digits + after, text, names);
      }
    }
  }

  private static long number(String digits, String text) {
    if (digits.isEmpty()
        || digits.length() > 12
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException(text);
    }
    return Long.parseLong(digits);
  }
}
