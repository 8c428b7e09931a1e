package io.ringmaster.control.job;

/**
 * One try to run a job. Engines know jobs by it alone. An attempt runs at most once, ever; a job
 * that starts again gets the next number.
 */
public record AttemptId(long job, int attempt) {

  /** As in the names of processes and folders: {@code 17.2}. */
  public String text() {
    return job + "." + attempt;
  }

  public static AttemptId of(String text) {
    int dot = text.indexOf('.');
    return new AttemptId(
        Long.parseLong(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
  }

  @Override
  public String toString() {
    return text();
  }
}
