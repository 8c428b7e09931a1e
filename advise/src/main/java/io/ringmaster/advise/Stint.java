package io.ringmaster.advise;

import java.util.Map;

/**
 * A time in which a job was in one place; a job that is stopped and goes on has several.
 *
 * @param warmupSeconds at its beginning, in which the job gets no further
 */
record Stint(
    double startSeconds,
    double endSeconds,
    double warmupSeconds,
    Map<String, Integer> gpusByServer) {

  /** How far the job got in it by a moment. */
  double doneSeconds(double atSeconds) {
    return Math.max(0, Math.min(atSeconds, endSeconds) - startSeconds - warmupSeconds);
  }
}
