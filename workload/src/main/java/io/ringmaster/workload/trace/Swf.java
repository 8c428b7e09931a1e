package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The Standard Workload Format, version 2.2, of the Parallel Workloads Archive: 18 numbers a line,
 * -1 for what is not known. Further fields, which some files have, are ignored.
 *
 * <p>A processor counts as a GPU. A job that was stopped and resumed has a line for the whole and
 * one for each stretch (status 2, 3 and 4); the stretches are parts.
 */
final class Swf {
  private static final int COLUMNS = 18;
  private static final List<String> NAMES =
      IntStream.rangeClosed(1, COLUMNS).mapToObj(Integer::toString).toList();

  private static final String ID = "1";
  private static final String SUBMIT = "2";
  private static final String WAIT = "3";
  private static final String RUN = "4";
  private static final String PROCESSORS = "5";
  private static final String PROCESSORS_ASKED = "8";
  private static final String STATUS = "11";
  private static final String USER = "12";
  private static final String GROUP = "13";
  private static final String EXECUTABLE = "14";

  private static final int COMPLETED = 1;

  static final TraceFormat FORMAT =
      new TraceFormat(
          "swf",
          "The Standard Workload Format of the Parallel Workloads Archive; a processor counts as a"
              + " GPU.",
          "Chapin et al., Benchmarks and Standards for the Evaluation of Parallel Job Schedulers,"
              + " JSSPP 1999; Parallel Workloads Archive",
          Swf::read);

  private Swf() {}

  private static void read(List<Path> files, Settings settings, TraceSink out) {
    for (Path file : files) {
      Rows.lines(
          file,
          out,
          Pattern.compile("\\s+"),
          ";",
          fields -> fields >= COLUMNS ? NAMES : List.of(),
          "the 18 of the Standard Workload Format",
          row -> job(row, settings, out));
    }
  }

  private static void job(Row row, Settings settings, TraceSink out) {
    double status = row.number(STATUS);
    if (status >= 2 && status <= 4) {
      out.part("a stretch of a job that was stopped and resumed");
      return;
    }
    TraceJobs.requireEnd(settings, status == COMPLETED);
    double waited = row.number(WAIT);
    String executable = named("x", row, EXECUTABLE);
    out.keep(
        TraceJob.of(
                row.id(ID),
                row.number(SUBMIT),
                row.gpus(row.number(PROCESSORS) > 0 ? PROCESSORS : PROCESSORS_ASKED),
                row.number(RUN))
            .waited(waited < 0 ? Double.NaN : waited)
            .by(named("u", row, USER), executable.isEmpty() ? named("g", row, GROUP) : executable));
  }

  private static String named(String letter, Row row, String column) {
    double number = row.number(column);
    return number < 0 ? "" : letter + (long) number;
  }
}
