package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * One format of job histories. It streams: a file is read row by row, and only what is kept is
 * held.
 *
 * @param name what {@code import} calls it
 * @param summary one sentence on what it reads
 * @param source where the format comes from
 * @param parameters its own settings; what all formats have in common is not among them
 */
public record TraceFormat(
    String name, String summary, String source, List<Parameter> parameters, Reader reader) {

  @FunctionalInterface
  public interface Reader {
    /**
     * Reads the files of one trace.
     *
     * @throws io.ringmaster.model.BadInput for a file that is not of this format, with file, line,
     *     column, value and what was expected
     */
    void read(List<Path> files, Settings settings, TraceSink out);
  }

  /** Makes a job of a row, or finds it {@link Unusable}. */
  @FunctionalInterface
  interface RowReader {
    TraceJob job(Row row, Settings settings);
  }

  /** Without settings of its own. */
  TraceFormat(String name, String summary, String source, Reader reader) {
    this(name, summary, source, List.of(), reader);
  }

  TraceFormat with(Parameter... own) {
    return new TraceFormat(name, summary, source, List.of(own), reader);
  }

  /** CSV files with a header of at least some columns, in which each row is a job. */
  static Reader csv(List<String> columns, RowReader row) {
    return (files, settings, out) ->
        files.forEach(
            file -> Rows.csv(file, out, columns, each -> out.keep(row.job(each, settings))));
  }
}
