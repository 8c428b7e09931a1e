package io.ringmaster.control.store;

import io.ringmaster.control.job.Job;
import java.util.List;
import java.util.Map;

/**
 * What a plane needs to go on.
 *
 * @param open jobs that have not reached their end, by id
 * @param lastJob the greatest id ever given; 0: none
 * @param lastEntry the greatest serial of the history; 0: none
 * @param measured by kind, then by serial
 */
public record Loaded(
    List<Job> open,
    long lastJob,
    long lastEntry,
    List<NodeRow> nodes,
    Map<String, String> settings,
    List<Finished> finished,
    List<Measured> measured) {

  /** How long the jobs of a user and group took that succeeded, with the workers they asked for. */
  public record Finished(String user, String group, double sumSeconds, long count) {}
}
