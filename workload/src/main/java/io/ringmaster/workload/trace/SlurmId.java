package io.ringmaster.workload.trace;

/**
 * A job by Slurm's name for it: {@code 123}, task 4 of an array {@code 123_4}, tasks that wait
 * {@code 123_[5-9]}, part 1 of a heterogeneous job {@code 123+1}, a step {@code 123.batch}.
 *
 * @param number the task or the part; of tasks that wait how many they are; 0 if there is none
 */
record SlurmId(long job, Kind kind, int number) {
  /** As MaxArraySize has it by default. */
  private static final int MOST_TASKS = 1001;

  enum Kind {
    JOB,
    TASK,
    PART,
    WAITING_TASKS,
    STEP
  }

  /**
   * Reads a JobID.
   *
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
              ? new SlurmId(job, Kind.WAITING_TASKS, tasks(rest))
              : new SlurmId(job, Kind.TASK, number(rest, text));
      case '+' -> new SlurmId(job, Kind.PART, number(rest, text));
      default -> throw new IllegalArgumentException(text);
    };
  }

  /** How many tasks {@code [5-9,12%2]} are; at least one, and never more than a site may have. */
  private static int tasks(String text) {
    long tasks = 0;
    for (String range : text.replaceAll("%.*|[\\[\\]]", "").split(",", -1)) {
      String[] ends = range.split("[-:]", -1);
      boolean isRange = ends.length > 1 && isShort(ends[0]) && isShort(ends[1]);
      long step = ends.length > 2 && isShort(ends[2]) ? Long.parseLong(ends[2]) : 1;
      long span = isRange ? Long.parseLong(ends[1]) - Long.parseLong(ends[0]) : 0;
      tasks += 1 + Math.max(0, span) / Math.max(1, step);
    }
    return (int) Math.min(tasks, MOST_TASKS);
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
