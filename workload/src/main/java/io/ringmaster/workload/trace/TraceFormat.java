package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * One format of job histories. It streams: a file is read row by row, and only what is kept is
 * held.
 */
public interface TraceFormat {
  /** What {@code import} calls it. */
  String name();

  /** One sentence on what it reads. */
  String summary();

  /** Where the format comes from. */
  String source();

  /** Its own settings; what all formats have in common is not among them. */
  default List<Parameter> parameters() {
    return List.of();
  }

  /**
   * Reads files of one trace.
   *
   * @throws io.ringmaster.model.BadInput for a file that is not of this format, with file, line,
   *     column, value and what was expected
   */
  void read(List<Path> files, Settings settings, TraceSink out);
}
