package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads a trace up to its first job, to see whether a format can read it at all. */
final class Beginning implements TraceSink {
  /**
   * Some make jobs of rows only at the end. They have it if not all of so many rows are useless: a
   * trace may begin with thousands that were there before.
   */
  private static final int MOST_ROWS = 20_000;

  private int rows;
  private int drops;

  /** Enough was read. */
  private static final class Seen extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final boolean isOf;

    Seen(boolean isOf) {
      super(null, null, false, false);
      this.isOf = isOf;
    }
  }

  static boolean isOf(TraceFormat format, List<Path> files) {
    Settings settings =
        Settings.of(
            format.name(),
            Stream.concat(TraceJobs.PARAMETERS.stream(), format.parameters().stream()).toList(),
            Map.of());
    try {
      format.reader().read(files, settings, new Beginning());
      return false;
    } catch (Seen seen) {
      return seen.isOf;
    } catch (BadInput e) {
      return false;
    }
  }

  @Override
  public void row(Path file, long line) {
    if (++rows > MOST_ROWS) {
      throw new Seen(drops < MOST_ROWS);
    }
  }

  @Override
  public void keep(TraceJob job) {
    throw new Seen(true);
  }

  @Override
  public void open(SeenJob job) {
    throw new Seen(true);
  }

  @Override
  public void drop(String reason) {
    drops++;
  }

  @Override
  public void part(String reason) {}

  @Override
  public void server(String name, int gpus) {}

  @Override
  public void progress(long bytes, long ofBytes) {}
}
