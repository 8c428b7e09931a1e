package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Server;
import io.ringmaster.model.Where;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How policies know of the marks of nodes without a word on them: nodes with the same marks are of
 * one kind, and a job that names a mark asks for the kinds that have it.
 */
final class NodeMarks {
  private static final String MARK = "\n";

  private NodeMarks() {}

  /** What a job asks for beside GPUs. */
  static Demand demand(JobSpec spec, Cluster cluster) {
    Demand demand = new Demand(spec.cpusPerGpu(), spec.memoryGbPerGpu() * 1e9);
    if (spec.nodesMarked().isEmpty() && spec.pieceGpus() == 1) {
      return demand;
    }
    return demand.on(new Where(kinds(spec, cluster), true, 0, spec.pieceGpus()));
  }

  private static Set<String> kinds(JobSpec spec, Cluster cluster) {
    if (spec.nodesMarked().isEmpty()) {
      return Set.of();
    }
    String mark = MARK + spec.nodesMarked() + MARK;
    Set<String> kinds =
        cluster.servers().stream()
            .map(Server::gpu)
            .filter(kind -> kind.contains(mark))
            .collect(Collectors.toSet());
    // No kind would mean any.
    return kinds.isEmpty() ? Set.of(mark) : kinds;
  }

  /** A node's kind to policies: that of its GPUs, and its marks. */
  static String kind(String gpu, Map<String, String> labels) {
    TreeSet<String> marks = new TreeSet<>();
    for (String label : labels.keySet()) {
      if (label.startsWith(Node.MARK)) {
        marks.add(label.substring(Node.MARK.length()));
      }
    }
    return marks.isEmpty() ? gpu : gpu + MARK + String.join(MARK + MARK, marks) + MARK;
  }
}
