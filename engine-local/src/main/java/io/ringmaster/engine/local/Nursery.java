package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Another program that starts supervisors, as its own children: where a cluster manager kills what
 * descends from the program that it started, and nothing else.
 */
@FunctionalInterface
public interface Nursery {
  /**
   * Asks for a supervisor.
   *
   * @param root the engine's own folder
   */
  void start(Path root, AttemptId attempt) throws IOException;
}
