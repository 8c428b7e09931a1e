package io.ringmaster.control.job;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * GPUs on named nodes. Names, not numbers: a stored allocation must mean the same after the cluster
 * file changed.
 */
public record Allocation(List<Share> shares) {

  /** So many GPUs of a node. */
  public record Share(String node, int gpus) {
    public Share {
      if (gpus < 1) {
        throw new IllegalArgumentException(gpus + " GPUs of node " + node);
      }
    }
  }

  public Allocation {
    shares = List.copyOf(shares);
    Set<String> nodes = new HashSet<>();
    for (Share share : shares) {
      if (!nodes.add(share.node())) {
        throw new IllegalArgumentException("node " + share.node() + " is named twice");
      }
    }
    if (shares.isEmpty()) {
      throw new IllegalArgumentException("an allocation of nothing");
    }
  }

  public int workers() {
    return shares.stream().mapToInt(Share::gpus).sum();
  }

  /** As stored and shown: {@code s0001:4,s0002:4}. Names of nodes have neither sign. */
  public String text() {
    return shares.stream().map(s -> s.node() + ":" + s.gpus()).collect(Collectors.joining(","));
  }

  public static Allocation of(String text) {
    List<Share> shares = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int colon = part.lastIndexOf(':');
      shares.add(new Share(part.substring(0, colon), Integer.parseInt(part.substring(colon + 1))));
    }
    return new Allocation(shares);
  }

  @Override
  public String toString() {
    return text();
  }
}
