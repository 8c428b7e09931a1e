package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows that make no sense. One in a million is dropped, with a reason that says where the first of
 * its kind is. If no row of a file makes sense it is not the file that was meant.
 */
final class Unreadable {
  /** A value that is not what its column holds. */
  static final class Field extends Exception {
    private static final long serialVersionUID = 1;

    private final String column;
    private final String value;
    private final String expected;

    Field(String column, String value, String expected) {
      super(column, null, false, false);
      this.column = column;
      this.value = value.length() <= 40 ? value : value.substring(0, 40) + "...";
      this.expected = expected;
    }
  }

  private final TraceSink out;
  private final Map<String, String> reasons = new HashMap<>();
  private @Nullable String first;
  private long bad;
  private long good;

  Unreadable(TraceSink out) {
    this.out = out;
  }

  /** A row could be read, whether it is kept or not. */
  void readable() {
    good++;
  }

  void drop(String where, long line, Field field) {
    drop(
        where,
        line,
        "column %s: '%s' is not %s".formatted(field.column, field.value, field.expected),
        "%s is not %s".formatted(field.column, field.expected));
  }

  void drop(String where, long line, String problem, String reason) {
    bad++;
    if (first == null) {
      first = "%s:%d: %s".formatted(where, line, problem.replaceAll("\\p{Cntrl}", "?"));
    }
    out.drop(reasons.computeIfAbsent(reason, r -> r + ", first in line " + line));
  }

  /** Called at the end of a file. */
  void check() {
    if (good == 0 && first != null) {
      throw new BadInput(
          bad == 1 ? first : "%s; none of the %d rows can be read".formatted(first, bad));
    }
    good = 0;
    bad = 0;
    first = null;
  }
}
