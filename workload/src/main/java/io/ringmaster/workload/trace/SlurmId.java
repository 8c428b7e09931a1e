package io.ringmaster.workload.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * A job by Slurm's name for it: {@code 123}, task 4 of an array {@code 123_4}, tasks that wait
 * {@code 123_[5-9]}, part 1 of a heterogeneous job {@code 123+1}, a step {@code 123.batch}.
 *
 * @param number the task or the part; 0 if there is none
 * @param tasks of {@link Kind#WAITING_TASKS}
 */
record SlurmId(long job, Kind kind, int number, Tasks tasks) {
  /** As MaxArraySize has it by default. */
  private static final int MOST_TASKS = 1001;

  SlurmId(long job, Kind kind, int number) {
    this(job, kind, number, Tasks.NONE);
  }

  /**
   * Tasks of an array that wait.
   *
   * @param atOnce the most that may run; 0: any number
   */
  record Tasks(List<Integer> numbers, int atOnce) {
    static final Tasks NONE = new Tasks(List.of(), 0);
  }

  enum Kind {
    JOB,
    TASK,
    PART,
    WAITING_TASKS,
    STEP
  }

  /**
   * @throws IllegalArgumentException if the text is none
   */
  static SlurmId of(String text) {
    int point = text.indexOf('.');
    int mark = 0;
    while (mark < text.length() && text.charAt(mark) >= '0' && text.charAt(mark) <= '9') {
      mark++;
    }
    long job = digits(text.substring(0, mark), text);
    if (job == 0) {
      throw new IllegalArgumentException(text);
    }
    if (point > 0 && point < text.length() - 1) {
      return new SlurmId(job, Kind.STEP, 0);
    }
    if (mark == text.length()) {
      return new SlurmId(job, Kind.JOB, 0);
    }
    String rest = text.substring(mark + 1);
    return switch (text.charAt(mark)) {
      case '_' ->
          rest.startsWith("[")
              ? new SlurmId(job, Kind.WAITING_TASKS, 0, tasks(rest))
              : new SlurmId(job, Kind.TASK, number(rest, text));
      case '+' -> new SlurmId(job, Kind.PART, number(rest, text));
      default -> throw new IllegalArgumentException(text);
    };
  }

  /** Those of {@code [5-9,12%2]}; at least one, and never more than a site may have. */
  private static Tasks tasks(String text) {
    List<Integer> numbers = new ArrayList<>();
    int percent = text.indexOf('%');
    String limit = percent < 0 ? "" : text.substring(percent + 1).replace("]", "");
    String list = (percent < 0 ? text : text.substring(0, percent)).replaceAll("[\\[\\]]", "");
    for (String range : list.split(",", -1)) {
      String[] ends = range.split("[-:]", -1);
      // What squeue cuts short ends in dots: one task stands for those.
      int first = isShort(ends[0]) ? Integer.parseInt(ends[0]) : numbers.size();
      int last = ends.length > 1 && isShort(ends[1]) ? Integer.parseInt(ends[1]) : first;
      int step = ends.length > 2 && isShort(ends[2]) ? Integer.parseInt(ends[2]) : 1;
      for (long i = first; i <= Math.max(first, last); i += Math.max(1, step)) {
        if (numbers.size() == MOST_TASKS) {
          break;
        }
        numbers.add((int) i);
      }
    }
    return new Tasks(List.copyOf(numbers), isShort(limit) ? Integer.parseInt(limit) : 0);
  }

  private static boolean isShort(String digits) {
    return digits.matches("[0-9]{1,9}");
  }

  private static int number(String digits, String text) {
    long number = digits(digits, text);
    if (number >> 30 != 0) {
      throw new IllegalArgumentException(text);
    }
    return (int) number;
  }

  private static long digits(String digits, String text) {
    if (digits.isEmpty()
        || digits.length() > 10
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException(text);
    }
    long number = Long.parseLong(digits);
    if (number >> 31 != 0) {
      throw new IllegalArgumentException(text);
    }
    return number;
  }

  /** One number for each job, task or part. */
  long key() {
    long mark = kind == Kind.TASK ? 1 : kind == Kind.PART ? 2 : 0;
    return (job << 32) | (mark << 30) | number;
  }

  /** The name for a job as a whole: that of a part is its job's. */
  String text() {
    return kind == Kind.TASK ? job + "_" + number : Long.toString(job);
  }
}
