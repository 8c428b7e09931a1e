package io.ringmaster.control.store;

import io.ringmaster.control.job.Job;
import java.util.List;
import java.util.Map;

/**
 * What is to be remembered, all of it or nothing. Jobs and nodes are new or changed rows.
 *
 * @param goneNodes names of nodes that need not be remembered any more
 */
public record Write(
    List<Job> jobs,
    List<Entry> entries,
    List<NodeRow> nodes,
    List<String> goneNodes,
    Map<String, String> settings,
    List<Measured> measured) {
  public Write(
      List<Job> jobs, List<Entry> entries, List<NodeRow> nodes, Map<String, String> settings) {
    this(jobs, entries, nodes, List.of(), settings, List.of());
  }

  public boolean isEmpty() {
    return jobs.isEmpty()
        && entries.isEmpty()
        && nodes.isEmpty()
        && goneNodes.isEmpty()
        && settings.isEmpty()
        && measured.isEmpty();
  }
}
