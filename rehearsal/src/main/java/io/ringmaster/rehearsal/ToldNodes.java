package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as an engine told them. A plane that knows them begins no attempt where a node is not
 * up, or where its GPUs less those that others hold are fewer than all attempts there have.
 */
final class ToldNodes {
  private final Map<String, Node> byName = new HashMap<>();

  ToldNodes(List<Node> nodes) {
    nodes.forEach(node -> byName.put(node.name(), node));
  }

  /**
   * Which node of an allocation has no room for it, in words; null: there is room.
   *
   * @param held GPUs that attempts have, with those of the allocation
   */
  @Nullable String whyNoRoom(Allocation allocation, Map<String, Integer> held) {
    for (Allocation.Share share : allocation.shares()) {
      @Nullable Node node = byName.get(share.node());
      int needed = held.getOrDefault(share.node(), 0);
      if (node == null || !node.up() || needed > node.gpus() - node.others().gpus()) {
        return "%s, where attempts have %d GPUs then; last told: %s"
            .formatted(share.node(), needed, node);
      }
    }
    return null;
  }
}
