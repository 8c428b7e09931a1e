package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Server;

/**
 * Parts of the whole cluster: its GPUs, and its CPUs and memory where they are counted. The
 * dominant share is the largest of them (Ghodsi et al., NSDI 2011, section 4).
 */
public final class Shares {
  private final double gpus;
  private final double cpus;
  private final double memoryBytes;

  public Shares(Cluster cluster) {
    this.gpus = cluster.totalGpus();
    this.cpus = cluster.servers().stream().mapToDouble(Server::cpus).sum();
    this.memoryBytes = cluster.servers().stream().mapToDouble(Server::memoryBytes).sum();
  }

  /** The dominant share of one worker. */
  public double ofWorker(Demand demand) {
    return dominant(1, demand.cpus(), demand.memoryBytes());
  }

  private double dominant(long heldGpus, double heldCpus, double heldMemoryBytes) {
    double dominant = heldGpus / gpus;
    dominant = heldCpus == 0 ? dominant : Math.max(dominant, heldCpus / cpus);
    return heldMemoryBytes == 0 ? dominant : Math.max(dominant, heldMemoryBytes / memoryBytes);
  }

  /** Nothing, to add to. */
  public Holding holding() {
    return new Holding();
  }

  /** What somebody has. */
  public final class Holding {
    private long heldGpus;
    private double heldCpus;
    private double heldMemoryBytes;

    private Holding() {}

    public Holding add(Demand demand, int workers) {
      heldGpus += workers;
      heldCpus += workers * demand.cpus();
      heldMemoryBytes += workers * demand.memoryBytes();
      return this;
    }

    /** The same, taken away. */
    public void remove(Demand demand, int workers) {
      add(demand, -workers);
      if (heldGpus == 0) {
        heldCpus = 0;
        heldMemoryBytes = 0;
      }
    }

    public double dominant() {
      return Shares.this.dominant(heldGpus, heldCpus, heldMemoryBytes);
    }

    /** GPUs that nobody has. */
    public int gpusLeft() {
      return (int) (gpus - heldGpus);
    }

    /** Whether the whole cluster has so much more, wherever it is. */
    public boolean leaves(Demand demand, int workers) {
      return workers <= gpus - heldGpus
          && Demand.fits(workers * demand.cpus(), cpus - heldCpus, cpus)
          && Demand.fits(
              workers * demand.memoryBytes(), memoryBytes - heldMemoryBytes, memoryBytes);
    }
  }
}
