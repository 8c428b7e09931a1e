package io.ringmaster.control.plane;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a thread that all depends on cannot go on after, such as an OutOfMemoryError. A server
 * without it would answer, and do nothing: it ends instead, and whoever looks after it starts it
 * again. Jobs go on.
 */
final class Fatal {
  private static final Logger LOG = LoggerFactory.getLogger(Fatal.class);

  /** As the JVM's own end on an OutOfMemoryError. */
  private static final int STATUS = 3;

  private Fatal() {}

  /** Ends the process at once: what would run at an orderly end may need what is broken. */
  static void halt() {
    Runtime.getRuntime().halt(STATUS);
  }

  static void end(String who, Throwable cause, Runnable halt) {
    try {
      LOG.error("{} cannot go on; the server ends, jobs go on", who, cause);
    } finally {
      halt.run();
    }
  }
}
