package io.ringmaster.calibration;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Processes on nodes that read and write lines. They end when their input does: at {@link #close},
 * or if this process is killed.
 */
public interface Probes extends AutoCloseable {
  /** Sends whole lines to all of them. */
  void tell(String lines) throws IOException;

  /** The next line of one; null if it has ended. */
  @Nullable String hear(int number) throws IOException;

  /** After which time all of them have surely got a line, unless the machines are overloaded. */
  long delayMillis();

  @Override
  void close();
}
