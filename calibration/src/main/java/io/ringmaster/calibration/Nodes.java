package io.ringmaster.calibration;

import java.io.IOException;
import java.util.List;

/** Nodes on which processes can be started. They are numbered from 0. */
public interface Nodes {
  /**
   * Starts a command several times on each of the first nodes: process i is on node i modulo their
   * number. Each must learn its number i: by a last argument, or as {@code SLURM_PROCID}.
   */
  Probes start(List<String> command, int nodes, int each) throws IOException;

  /** Where processes on a node are reached by others. */
  String address(int node);
}
