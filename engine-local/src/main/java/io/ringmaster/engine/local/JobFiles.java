package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Set;

/** What belongs to jobs in a data folder, for those who read it: logs, progress, what is kept. */
public final class JobFiles implements AutoCloseable {
  private final DataFolder data;
  private final UserFiles files;

  JobFiles(DataFolder data, UserFiles files) {
    this.data = data;
    this.files = files;
  }

  public JobFiles(DataFolder data) {
    this(data, new UserFiles());
  }

  /** As {@link Engine#log}. */
  public InputStream log(AttemptId attempt, int rank, Engine.Stream stream, long fromByte)
      throws IOException {
    if (stream != Engine.Stream.PROGRESS) {
      return new LogStream(
          files, attempt, data.log(attempt, rank, stream), fromByte, Long.MAX_VALUE);
    }
    DataFolder.Part part =
        files.within(
            new UserFiles.Use(attempt, UserFiles.Purpose.READ), () -> data.progressPart(attempt));
    try {
      long from = part.begin() + Math.clamp(fromByte, 0L, Long.MAX_VALUE - part.begin());
      return new LogStream(files, attempt, data.progress(attempt.job()), from, part.end());
    } catch (NoSuchFileException e) {
      return InputStream.nullInputStream();
    }
  }

  /** As {@link Engine#kept}. */
  public Map<Engine.Kept, Long> kept(long job) throws IOException {
    return new KeptFiles(data).bytes(job);
  }

  /** As {@link Engine#discard}; the caller knows that nothing of the job runs. */
  public void discard(long job, Set<Engine.Kept> what) throws IOException {
    new KeptFiles(data).discard(job, what);
  }

  /** Puts down why an attempt was refused, where its worker would have said it. */
  public void refused(AttemptId attempt, String why) throws IOException {
    DataFolder.makeFolder(data.logs(attempt), null);
    DataFolder.put(data.log(attempt, 0, Engine.Stream.STDERR), "ringmaster: " + why + "\n");
  }

  @Override
  public void close() {
    files.close();
  }
}
