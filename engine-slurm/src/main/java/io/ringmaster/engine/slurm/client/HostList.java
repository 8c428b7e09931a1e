package io.ringmaster.engine.slurm.client;

import java.util.ArrayList;
import java.util.List;

/** Slurm's short way to write names of nodes: {@code n[1-3,07],gpu4}. */
public final class HostList {
  private HostList() {}

  /** All names, in their order. */
  public static List<String> names(String text) {
    List<String> names = new ArrayList<>();
    if (text.isBlank() || text.equals("(null)") || text.equals("N/A")) {
      return names;
    }
    int depth = 0;
    int from = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      if (c == '[') {
        depth++;
      } else if (c == ']') {
        depth--;
      } else if (c == ',' && depth == 0) {
        expand(text.substring(from, i).strip(), names);
        from = i + 1;
      }
    }
    return names;
  }

  private static void expand(String part, List<String> names) {
    int open = part.indexOf('[');
    int close = part.indexOf(']', open + 1);
    if (open < 0 || close < 0) {
      if (!part.isEmpty()) {
        names.add(part);
      }
      return;
    }
    for (String range : part.substring(open + 1, close).split(",", -1)) {
      int dash = range.indexOf('-');
      String first = dash < 0 ? range : range.substring(0, dash);
      long last = Long.parseLong(dash < 0 ? range : range.substring(dash + 1));
      for (long number = Long.parseLong(first); number <= last; number++) {
        String digits = Long.toString(number);
        String padded = "0".repeat(Math.max(0, first.length() - digits.length())) + digits;
        expand(part.substring(0, open) + padded + part.substring(close + 1), names);
      }
    }
  }
}
