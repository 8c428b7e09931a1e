package io.ringmaster.control.store;

import io.ringmaster.control.job.Job;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be remembered, all of it or nothing. Jobs and nodes are new or changed rows.
 *
 * @param goneNodes names of nodes that need not be remembered any more
 * @param sample what the cluster is like; null: nothing new is to be said
 */
public record Write(
    List<Job> jobs,
    List<Entry> entries,
    List<NodeRow> nodes,
    List<String> goneNodes,
    Map<String, String> settings,
    List<Measured> measured,
    @Nullable Sample sample) {
  public Write(
      List<Job> jobs, List<Entry> entries, List<NodeRow> nodes, Map<String, String> settings) {
    this(jobs, entries, nodes, List.of(), settings, List.of(), null);
  }

  public boolean isEmpty() {
    return jobs.isEmpty()
        && entries.isEmpty()
        && nodes.isEmpty()
        && goneNodes.isEmpty()
        && settings.isEmpty()
        && measured.isEmpty()
        && sample == null;
  }
}
