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
 * @param finished the last jobs that succeeded, in the order of their ends
 * @param measured by kind, then by serial
 */
public record Loaded(
    List<Job> open,
    long lastJob,
    long lastEntry,
    List<NodeRow> nodes,
    Map<String, String> settings,
    List<Job> finished,
    List<Measured> measured) {}
