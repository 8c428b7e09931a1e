package io.ringmaster.experiments.philly;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;

/**
 * How large the experiment is.
 *
 * @param servers of 8 GPUs each
 * @param jobs of a draw
 */
record Scale(int servers, int jobs) {
  /**
   * So many jobs come over two to seven days at load 1, which is more than the longest of them
   * takes, and all runs take minutes. Five draws have no job in common.
   */
  static final Scale FULL = new Scale(64, 8000);

  private static final int GPUS_EACH = 8;
  private static final double RESTART_SECONDS = 10;

  Cluster cluster() {
    return Cluster.uniform(servers, GPUS_EACH, Network.Contention.USUAL, RESTART_SECONDS);
  }
}
