package io.ringmaster.workload.trace;

import io.ringmaster.workload.Numbers;
import java.util.Map;
import java.util.Set;

/**
 * One row of a table. A value that cannot be used makes the whole row {@link Unusable}: real logs
 * hold junk, and one bad row must not cost the others.
 */
final class Row {
  /** What programs write for a value that is not there. */
  private static final Set<String> NOTHING = Set.of("nan", "NaN", "None", "null", "NULL", "\\N");

  private final Map<String, Integer> columns;
  private final String[] fields;

  Row(Map<String, Integer> columns, String[] fields) {
    this.columns = columns;
    this.fields = fields;
  }

  /** The text of a column; empty if there is no such column, or nothing in it. */
  String text(String column) {
    Integer at = columns.get(column);
    if (at == null) {
      return "";
    }
    String text = fields[at].strip();
    return NOTHING.contains(text) ? "" : text;
  }

  /** A text that must be there. */
  String id(String column) {
    String text = text(column);
    if (text.isEmpty()) {
      throw new Unusable("has no " + column);
    }
    return text;
  }

  /** The number in a column; NaN if there is none. */
  double numberIfAny(String column) {
    String text = text(column);
    return text.isEmpty() ? Double.NaN : number(column);
  }

  double number(String column) {
    double value = Numbers.parse(text(column));
    if (!Double.isFinite(value)) {
      throw new Unusable(column + " is no number");
    }
    return value;
  }

  /** The GPUs that a job asks for, a part of one counting as a whole. */
  int gpus(String column) {
    return wholeGpus(number(column));
  }

  /** Rounds up, but not for the sake of an error in the last digits. */
  static int wholeGpus(double gpus) {
    if (gpus <= 0) {
      throw new Unusable(TraceJobs.NO_GPU);
    }
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(gpus - 1e-9));
  }

  /** Seconds on the trace's clock. */
  double time(String column) {
    double seconds = Times.seconds(text(column));
    if (!Double.isFinite(seconds)) {
      throw new Unusable(text(column).isEmpty() ? "has no " + column : column + " is no time");
    }
    return seconds;
  }

  /** The seconds from one time to a later one. */
  double between(String from, String to) {
    double seconds = time(to) - time(from);
    if (seconds < 0) {
      throw new Unusable("%s is before %s".formatted(to, from));
    }
    return seconds;
  }
}
