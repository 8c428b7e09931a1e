package io.ringmaster.experiments.adasrsf;

/** Equal nodes with equal GPUs. GPUs are numbered node by node. */
record Machines(int nodes, int gpusPerNode, int memoryMegabytes) {
  /** The cluster of the paper's simulations. */
  static final Machines PAPER = new Machines(16, 4, 32_768);

  int gpus() {
    return nodes * gpusPerNode;
  }

  int node(int gpu) {
    return gpu / gpusPerNode;
  }
}
