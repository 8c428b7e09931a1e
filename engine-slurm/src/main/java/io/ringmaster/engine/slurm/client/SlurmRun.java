package io.ringmaster.engine.slurm.client;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of a job that is over, as sacct tells it. A job that was requeued has several.
 *
 * @param state as in COMPLETED, FAILED, CANCELLED by 0, REQUEUED
 * @param startSeconds since 1970; NaN: it never started
 */
public record SlurmRun(String state, int exitCode, double startSeconds) {
  static final String COLUMNS = "JobIDRaw,State,ExitCode,Start";

  /** What sacct printed of a job, and it may have printed more: of an array all tasks. */
  static List<SlurmRun> parse(String text, long job) {
    List<SlurmRun> runs = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split("\\|", -1);
      if (words.length == 4 && words[0].strip().equals(Long.toString(job))) {
        String state = words[1].strip();
        int code = exitCode(words[2]);
        boolean isUntold = code == 0 && !state.equals("COMPLETED");
        runs.add(new SlurmRun(state, isUntold ? 143 : code, seconds(words[3])));
      }
    }
    return runs;
  }

  /** Of {@code 3:0} the 3, of {@code 0:9}, a signal, 137. */
  private static int exitCode(String text) {
    String[] words = text.split(":", -1);
    try {
      int code = Integer.parseInt(words[0]);
      int signal = words.length < 2 ? 0 : Integer.parseInt(words[1]);
      return signal == 0 ? code : 128 + signal;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Accounting tells seconds when asked to; the list of completed jobs has the controller's time.
   */
  private static double seconds(String text) {
    try {
      return text.matches("\\d{1,12}")
          ? Long.parseLong(text)
          : LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toEpochSecond();
    } catch (DateTimeException e) {
      return Double.NaN;
    }
  }

  /** Whether it came to an end of its own, and not to another run. */
  public boolean endedByItself() {
    return switch (state) {
      case "COMPLETED", "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "DEADLINE" -> true;
      default -> state.startsWith("CANCELLED");
    };
  }

  /** What is to be said of it beside its code. */
  public String why() {
    return switch (state) {
      case "COMPLETED", "FAILED" -> "";
      case "TIMEOUT" -> "ran for its time limit in Slurm";
      case "OUT_OF_MEMORY" -> "ran out of memory";
      default -> "ended in Slurm: " + state;
    };
  }
}
