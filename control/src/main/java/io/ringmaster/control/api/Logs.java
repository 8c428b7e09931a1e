package io.ringmaster.control.api;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.io.InputStream;

/** Where logs are read: {@link Engine#log}. */
@FunctionalInterface
public interface Logs {
  InputStream log(AttemptId attempt, int rank, Engine.Stream stream, long fromByte)
      throws IOException;
}
