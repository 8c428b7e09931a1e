package io.ringmaster.workload.trace;

import java.util.List;

/**
 * Where a job is to be and in which parts, as far as a site's own words for it tell.
 *
 * @param partitions any of them will do
 * @param nodes the fewest; 0 if nobody says
 * @param gpusPerNode exactly; 0: any number
 * @param gpuType empty: any
 * @param onNodes on all of these, and perhaps on more; empty: on any
 * @param features what its nodes must have, as in {@code fast&(a100|h100)}; may be empty
 * @param reservation whose nodes it may use; may be empty
 * @param dependency on other jobs, as in {@code afterok:12(unfulfilled)}; may be empty
 */
public record AskedPlace(
    List<String> partitions,
    int nodes,
    int gpusPerNode,
    String gpuType,
    List<String> onNodes,
    String features,
    String reservation,
    String dependency) {
  /** Nobody says. */
  public static final AskedPlace ANY = new AskedPlace(List.of(), 0, 0, "", List.of(), "", "", "");

  public AskedPlace {
    partitions = List.copyOf(partitions);
    onNodes = List.copyOf(onNodes);
  }
}
