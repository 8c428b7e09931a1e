package io.ringmaster.workload.trace;

import java.nio.file.Path;
import java.util.Map;

/**
 * Takes what a reader finds. Every row is counted once with {@link #row} and then kept or dropped.
 * A format that makes one job of several rows says so of each row that is only a part.
 */
public interface TraceSink {
  /** A row, or a record, was read, and this is where. */
  void row(Path file, long line);

  /** A job of the trace, made of the rows read. */
  void keep(TraceJob job);

  /**
   * The same, where the trace tells on which servers it ran.
   *
   * @param limitSeconds after which it would have been ended; infinite if there was no limit
   */
  default void keep(TraceJob job, Map<String, Integer> gpusByServer, double limitSeconds) {
    keep(job);
  }

  /** A job that has not ended, of a row that is dropped: for who asks about the present. */
  default void open(SeenJob job) {}

  /** The row is no job that can be replayed; the reason is a few words, the same for like rows. */
  void drop(String reason);

  /** The row belongs to a job that another row stands for. */
  void part(String reason);

  /**
   * A server of the site, where the trace tells of it.
   *
   * @param gpus the most GPUs that the trace shows there
   */
  void server(String name, int gpus);

  /** Something that whoever uses the jobs should know; one sentence. */
  default void note(String text) {}

  /** Told how far a file is read. */
  void progress(long bytes, long ofBytes);
}
